/* A growing string, and reading whole files into one. */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include "base/error.h"
#include <stddef.h>

struct text {
    char *data; /* always ends in \0 once something was added; NULL if empty */
    size_t length;
    size_t capacity;
};

void text_add(struct text *t, const char *bytes, size_t length);
void text_puts(struct text *t, const char *s);
void text_printf(struct text *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void text_free(struct text *t);
/* Hands the string over to the caller, who frees it; never NULL. */
char *text_take(struct text *t);

/* Whole file, binary safe, at most `limit` bytes (an error beyond it). */
bool text_read_file(struct text *t, const char *path, size_t limit,
                    struct error *e);
/* Writes to PATH.tmp-PID and renames, so that a full disk or Ctrl-C leaves
 * the old file whole. */
bool text_write_file(const char *path, const char *bytes, size_t length,
                     struct error *e);

#endif
