/* Values in test files: integer expressions of `i`, floats, raw bits. */
#ifndef SUPPORT_EXPRESSION_H
#define SUPPORT_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

struct value_type {
    const char *name; /* "f32" */
    int bytes;
    bool is_float;
};
/* NULL if there is no such type. */
const struct value_type *value_type_find(const char *name);

/* The bits of `text` as an element of the type, with `i` as the variable:
 *     3*i+1   -1   0xff   1.5   -inf   nan   i%2 ? 5 : i
 * For float types 0x... are raw bits.  False if it does not parse. */
bool value_parse(const char *text, int64_t i, const struct value_type *,
                 uint64_t *bits);

#endif
