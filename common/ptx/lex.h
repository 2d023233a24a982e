/* Text to tokens, one at a time.  Comments and white space disappear here.
 * A token points into the text; nothing is copied. */
#ifndef PTX_LEX_H
#define PTX_LEX_H

#include "base/error.h"
#include <stdint.h>

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,    /* add  %r1  $L__BB0_2  _ */
    TOKEN_DOT,     /* .global  .f32  .L2::128B: `text` starts at the dot */
    TOKEN_INTEGER, /* bits */
    TOKEN_FLOAT32, /* 0f3F800000: bits */
    TOKEN_FLOAT64, /* 0d..., 1.5: bits of the double */
    TOKEN_STRING,  /* "...": `text` and `length` without the quotes */
    TOKEN_PUNCT,   /* one character: text[0] */
    TOKEN_BAD,     /* not a token: lexer->problem says why */
};
struct token {
    enum token_kind kind;
    const char *text;
    int length;
    int line, column;       /* from 1 */
    const char *line_start; /* the text of that line, for messages */
    uint64_t bits;
};
struct lexer {
    const char *at, *end; /* what is left; *end must be readable and \0 */
    const char *line_start;
    int line;
    const char *problem;
};

struct token lex_next(struct lexer *);

static inline bool token_is(const struct token *t, char punct)
{
    return t->kind == TOKEN_PUNCT && t->text[0] == punct;
}
bool token_equals(const struct token *, const char *text);

#endif
