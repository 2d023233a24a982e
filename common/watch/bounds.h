/* Bounds: accesses that memory refused.
 *
 *   out-of-bounds   outside every buffer or array, in a freed one, or from one
 *                   shared array into another
 *   misaligned      the address is no multiple of the access size
 *   input-written   a store to the input or to constant memory
 *
 * The simulator finds them (EVENT_FAULT); here they get words: how far, by
 * which thread, what size the array has. */
#ifndef WATCH_BOUNDS_H
#define WATCH_BOUNDS_H

#include "watch/teller.h"

struct watcher *bounds_watcher(struct finding_list *);

#endif
