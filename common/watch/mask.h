/* Masks of warp-wide operations: bad-sync-mask.
 *
 * Policy for a mask that names lanes which have ended: accepted.  Hardware
 * does not wait for them, and a kernel may return early in idle threads and
 * still shuffle with a full mask, as long as nothing depends on the value
 * "read" from a lane that is gone (that is told, and only if the result
 * depends on it: finding.h, depends_on). */
#ifndef WATCH_MASK_H
#define WATCH_MASK_H

#include "watch/teller.h"

struct watcher *mask_watcher(struct finding_list *);

#endif
