/* Two helpers of compile.c: a compiler's words made short, and the key of
 * the cache. */
#ifndef LAB_SHORTEN_H
#define LAB_SHORTEN_H

#include "base/text.h"
#include "lab/compile.h"

/* Copies the first `most` messages of one `kind` ("error" or "warning") out
 * of what nvcc or clang said, each with its source line and caret; no notes,
 * no summary, no trace of includes.  Returns how many there were. */
int compile_shorten(const char *text, const char *kind, int most, char *out,
                    size_t size);

/* 128 bits in hex over everything that the PTX depends on: the compiler, its
 * flags, the path as shown, the source, the files that it includes with
 * quotes, and (for clang) our device header. */
enum { COMPILE_KEY = 33 };
void compile_key(const struct home *home, const struct compiler *compiler,
                 char *const flags[], const char *path,
                 const struct text *source, char key[COMPILE_KEY]);

#endif
