/* Progress: no-progress when the launch could not go on, with where each
 * party waits, and trap for traps and failed asserts.  A block whose threads
 * all wait at block barriers is barrier.c's to tell. */
#ifndef WATCH_PROGRESS_H
#define WATCH_PROGRESS_H

#include "watch/teller.h"

struct watcher *progress_watcher(struct finding_list *);

#endif
