/* Text to tokens (PTX ISA 4.1 - 4.5).  See lex.h. */
#include "ptx/lex.h"

#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) ||
           c == '_' || c == '$' || c == '%';
}

static int digit_value(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

bool token_equals(const struct token *t, const char *text)
{
    return strlen(text) == (size_t)t->length &&
           memcmp(t->text, text, (size_t)t->length) == 0;
}

static void new_line(struct lexer *l)
{
    l->line++;
    l->line_start = l->at;
}

/* False when the end of the text comes first. */
static bool skip_block_comment(struct lexer *l)
{
    for (l->at += 2; l->at < l->end;) {
        if (l->at[0] == '*' && l->at[1] == '/') {
            l->at += 2;
            return true;
        }
        if (*l->at++ == '\n')
            new_line(l);
    }
    l->problem = "this comment is never closed";
    return false;
}

/* Moves to the next token.  False on an open comment: l->at is then the end
 * of the text, so `begin` keeps where it opened. */
static bool skip_space(struct lexer *l, struct token *begin)
{
    while (l->at < l->end) {
        char c = *l->at;
        if (c == '\n') {
            l->at++;
            new_line(l);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' ||
                   c == '\v') {
            l->at++;
        } else if (c == '/' && l->at[1] == '/') {
            while (l->at < l->end && *l->at != '\n')
                l->at++;
        } else if (c == '/' && l->at[1] == '*') {
            begin->text = l->at;
            begin->length = 2;
            begin->line = l->line;
            begin->column = (int)(l->at - l->line_start) + 1;
            begin->line_start = l->line_start;
            if (!skip_block_comment(l))
                return false;
        } else {
            break;
        }
    }
    return true;
}

static void bad(struct lexer *l, struct token *t, const char *problem)
{
    t->kind = TOKEN_BAD;
    l->problem = problem;
}

/* Digits of one base up to the first other character. */
static void lex_integer(struct lexer *l, struct token *t, int base)
{
    const char *first = l->at;
    uint64_t value = 0;

    t->kind = TOKEN_INTEGER;
    for (; digit_value(*l->at) < base; l->at++) {
        uint64_t digit = (uint64_t)digit_value(*l->at);
        if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
            __builtin_add_overflow(value, digit, &value)) {
            bad(l, t, "this number does not fit 64 bits");
            return;
        }
    }
    if (l->at == first)
        bad(l, t, "digits are missing in this number");
    if (*l->at == 'U')
        l->at++;
    t->bits = value;
}

/* 0f and 0d: the bits of the number in exactly 8 or 16 hex digits. */
static void lex_float_bits(struct lexer *l, struct token *t, int digits)
{
    int count = 0;

    l->at += 2;
    t->kind = digits == 8 ? TOKEN_FLOAT32 : TOKEN_FLOAT64;
    for (; digit_value(*l->at) < 16 && count < digits; count++)
        t->bits = t->bits * 16 + (uint64_t)digit_value(*l->at++);
    if (count < digits || digit_value(*l->at) < 16)
        bad(l, t,
            digits == 8 ? "0f needs exactly 8 hexadecimal digits"
                        : "0d needs exactly 16 hexadecimal digits");
}

/* 12.5, 1e9, 3.25e-7.  strtod wants a string that ends. */
static void lex_decimal_float(struct lexer *l, struct token *t)
{
    char copy[64];
    const char *from = l->at;
    double value;

    while (is_digit(*l->at) || *l->at == '.')
        l->at++;
    if (*l->at == 'e' || *l->at == 'E') {
        l->at++;
        if (*l->at == '+' || *l->at == '-')
            l->at++;
        while (is_digit(*l->at))
            l->at++;
    }
    size_t length = (size_t)(l->at - from);
    if (length >= sizeof copy) {
        bad(l, t, "this number is too long");
        return;
    }
    memcpy(copy, from, length);
    copy[length] = '\0';
    char *end;
    value = strtod(copy, &end);
    t->kind = TOKEN_FLOAT64;
    memcpy(&t->bits, &value, sizeof value);
    if (*end)
        bad(l, t, "this is not a number");
}

static bool is_decimal_float(const struct lexer *l)
{
    const char *c = l->at;
    while (is_digit(*c))
        c++;
    return (*c == '.' && is_digit(c[1])) || *c == 'e' || *c == 'E';
}

static void lex_number(struct lexer *l, struct token *t)
{
    char second = l->at[0] == '0' ? l->at[1] : ' ';

    if (second == 'x' || second == 'X') {
        l->at += 2;
        lex_integer(l, t, 16);
    } else if (second == 'b' || second == 'B') {
        l->at += 2;
        lex_integer(l, t, 2);
    } else if (second == 'f' || second == 'F') {
        lex_float_bits(l, t, 8);
    } else if (second == 'd' || second == 'D') {
        lex_float_bits(l, t, 16);
    } else if (is_decimal_float(l)) {
        lex_decimal_float(l, t);
    } else {
        lex_integer(l, t, second >= '0' && second <= '9' ? 8 : 10);
    }
    if (t->kind != TOKEN_BAD && is_name_char(*l->at))
        bad(l, t, "this is not a number");
}

/* .name, also with :: inside.  A single dot is no token. */
static void lex_dot(struct lexer *l, struct token *t)
{
    t->kind = TOKEN_DOT;
    l->at++;
    const char *first = l->at;
    for (;;) {
        if (is_name_char(*l->at))
            l->at++;
        else if (l->at[0] == ':' && l->at[1] == ':' && l->at > first &&
                 is_name_char(l->at[2]))
            l->at += 2;
        else
            break;
    }
    if (l->at == first)
        bad(l, t, "a name must follow this dot");
}

static void lex_string(struct lexer *l, struct token *t)
{
    t->kind = TOKEN_STRING;
    l->at++;
    t->text = l->at;
    while (l->at < l->end && *l->at != '"' && *l->at != '\n')
        l->at++;
    t->length = (int)(l->at - t->text);
    if (l->at < l->end && *l->at == '"')
        l->at++;
    else
        bad(l, t, "this string is never closed");
}

struct token lex_next(struct lexer *l)
{
    struct token t = {0};

    if (!skip_space(l, &t)) {
        t.kind = TOKEN_BAD;
        return t;
    }
    t.text = l->at;
    t.length = 0;
    t.line = l->line;
    t.column = (int)(l->at - l->line_start) + 1;
    t.line_start = l->line_start;
    if (l->at >= l->end) {
        t.kind = TOKEN_END;
        return t;
    }
    char c = *l->at;
    if (is_digit(c)) {
        lex_number(l, &t);
    } else if (is_name_char(c)) {
        t.kind = TOKEN_NAME;
        while (is_name_char(*l->at))
            l->at++;
    } else if (c == '.') {
        lex_dot(l, &t);
    } else if (c == '"') {
        lex_string(l, &t);
        return t;
    } else if (c && strchr(",;:(){}[]<>+-*|!~=@", c)) {
        t.kind = TOKEN_PUNCT;
        l->at++;
    } else {
        bad(l, &t, "this character cannot stand in PTX");
        l->at++;
    }
    t.length = (int)(l->at - t.text);
    return t;
}
