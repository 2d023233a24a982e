/* Uninitialized: words of shared memory, of a thread's own arrays, and
 * registers that are read although nobody wrote them.
 *
 * Reading such a word is no mistake if nothing comes of it: compilers load
 * first and choose with selp, vector loads take neighbours along.  So the
 * findings are doubts (finding.h, depends_on): the launch runs once more with
 * other garbage in these words, and only if that changes what it leaves
 * behind they stand.
 *
 * Written means by any thread of the block, since the block began; a bit a
 * word (a byte, if the program moves bytes). */
#ifndef WATCH_UNINIT_H
#define WATCH_UNINIT_H

#include "watch/teller.h"

struct watcher *uninit_watcher(struct finding_list *);

#endif
