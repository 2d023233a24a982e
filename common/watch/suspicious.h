/* Suspicious: things in the program that are hardly ever meant.  Warnings,
 * found in the program's text; they fail nothing.
 *
 *   - a shuffle down, up or xor whose mask is __activemask(): that says who
 *     happens to run together now, not who takes part.  (A mask taken once
 *     for a shuffle from its own first lane is a known idiom and is left
 *     alone, and so are the libraries.)
 *   - an atomicCAS() of a computed value whose answer nobody looks at.
 *   - a float that becomes a whole number, told only if the sum is wrong: with
 *     whole numbers for input it may be meant.
 *   - an index of 32 bits that is compared with n (wrap.h).
 *   - two `extern __shared__` arrays, which are one, if the sum is wrong.
 *
 * Shared words beyond those of the block's threads that are read although
 * nobody wrote them are found by uninit.c; it tells them as such a warning if
 * nothing depends on them. */
#ifndef WATCH_SUSPICIOUS_H
#define WATCH_SUSPICIOUS_H

#include "watch/teller.h"

struct watcher *suspicious_watcher(struct finding_list *);

#endif
