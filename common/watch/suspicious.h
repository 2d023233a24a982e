/* Suspicious: things in the program that are hardly ever meant.  Warnings,
 * found in the program's text; they fail nothing.
 *
 *   - a shuffle down, up or xor whose mask is __activemask(): that says who
 *     happens to run together now, not who takes part.  (A mask taken once
 *     for a shuffle from its own first lane is a known idiom and is left
 *     alone, and so are the libraries.)
 *   - an atomicCAS() of a computed value whose answer nobody looks at.
 *   - a float that becomes a whole number, told only if the sum is wrong: with
 *     whole numbers for input it may be meant. */
#ifndef WATCH_SUSPICIOUS_H
#define WATCH_SUSPICIOUS_H

#include "watch/teller.h"

struct watcher *suspicious_watcher(struct finding_list *);

#endif
