/* Indexes of 32 bits beside n, which has 64: they wrap when n is large enough.
 * Found in a kernel's text, for the warnings of suspicious.c.
 *
 *   WRAP_INDEX  unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 *               if (i < n) ...       from 2^32 elements on it begins again at 0
 *   WRAP_LOOP   for (unsigned int i = ...; i < n; i += step)
 *               near 2^32 the step goes past 0, and the loop does not end
 *   WRAP_N      if (i < (unsigned int)n)
 *               the upper half of n is lost
 *
 * Left alone: an index that only starts with 32 bits and goes on with 64 (a
 * grid is small enough), comparisons with anything but n, loops that the
 * compiler counts with 64 bits, and kernels that test n against a number. */
#ifndef WATCH_WRAP_H
#define WATCH_WRAP_H

#include "ptx/program.h"

enum wrap { WRAP_NONE, WRAP_INDEX, WRAP_LOOP, WRAP_N };

/* Calls `visit` for each comparison of such an index with the third parameter,
 * if the kernel's parameters are (pointer, pointer, 64 bits). */
typedef void wrap_fn(void *data, const struct ptx_insn *, enum wrap);
void wrap_find(const struct ptx_function *f, wrap_fn *visit, void *data);

#endif
