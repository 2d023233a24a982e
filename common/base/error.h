/* Errors that come from outside: bad input, a missing file, a full disk.
 *
 * A function that can fail returns bool and takes a `struct error *` last.
 * On failure it has filled in exactly one message and returned false; the
 * caller passes it up or prints it.  Our own mistakes are asserts, a
 * student's mistakes are findings (watch/finding.h): neither comes here.
 */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

struct error {
    char text[2048]; /* whole message, may hold several lines, no last \n */
};

/* Both fill in `e` and return false, so that callers write
 *     return error_set(e, "cannot read %s: %s", path, strerror(errno)); */
bool error_set(struct error *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A message about a place in a text:
 *     kernel.ptx:12:9: error: unknown opcode 'foo.f32'
 *         foo.f32 %f1, %f2;
 *         ^
 * `source_line` points into the text at the start of that line (it ends at
 * \n or \0; NULL draws no caret).  Lines and columns count from 1; column 0
 * leaves the column and the caret out. */
struct place {
    const char *file;
    int line;
    int column;
    const char *source_line;
};
bool error_at(struct error *e, struct place at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts "context: " in front of a message that is already there. */
bool error_prefix(struct error *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
