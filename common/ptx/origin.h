/* Which array does an address belong to?  Found in the program's text: an
 * address that starts as a variable's own and only has numbers added to it is
 * meant for that variable, wherever it leads in the end.
 *
 *     mov.u64   %rd1, s;            %rd1: s
 *     shl.b64   %rd2, %rd9, 2;      %rd2: a number
 *     add.s64   %rd3, %rd1, %rd2;   %rd3: s
 *     ld.shared.f32 %f1, [%rd3+4];  an element of s
 *
 * On the safe side: where two variables or a variable and something else meet
 * (a pointer that is chosen, computed in another way, loaded or passed to a
 * function), nothing is claimed. */
#ifndef PTX_ORIGIN_H
#define PTX_ORIGIN_H

#include "ptx/program.h"

/* For each instruction the variable that its address (of cp.async the one it
 * writes to) belongs to; NULL for unknown and for instructions without one.
 * Memory comes from the arena. */
const struct ptx_variable **ptx_origins(struct arena *,
                                        const struct ptx_function *);

#endif
