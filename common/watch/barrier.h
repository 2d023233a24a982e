/* Block barriers: barrier-divergence.
 *
 * The rule: each time a barrier without a thread count opens, all threads of
 * the block have come to the same __syncthreads() of the source.  It is
 * broken when
 *
 *   - threads have ended while others still wait at a barrier: hardware does
 *     not count them, so nothing hangs, and what they should have done is
 *     missing.  (Threads that return when no barrier follows for the others
 *     are fine.)
 *   - a part of a warp comes to a barrier and the rest went elsewhere;
 *   - threads wait at two different barriers, in the two sides of an if, say,
 *     even if each thread meets just one.  Copies of one barrier that the
 *     compiler made have one place in the source and count as one;
 *   - nobody can go on because of it.
 *
 * Barriers with a count (bar.sync 1, 64) are for those who know: only a
 * deadlock is told. */
#ifndef WATCH_BARRIER_H
#define WATCH_BARRIER_H

#include "watch/teller.h"

struct watcher *barrier_watcher(struct finding_list *);

/* Has the barrier instruction a thread count? */
bool barrier_is_counted(const struct ptx_insn *);

#endif
