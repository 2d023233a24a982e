/* A small recursive-descent evaluator.  Comes in: text such as "i*2+1".
 * Goes out: the bits of one element. */
#include "tests/support/expression.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *at;
    int64_t i;
    bool failed;
};

static const struct value_type types[] = {
    {"u8", 1, false},  {"s8", 1, false},  {"b8", 1, false},  {"u16", 2, false},
    {"s16", 2, false}, {"b16", 2, false}, {"f16", 2, false}, {"u32", 4, false},
    {"s32", 4, false}, {"b32", 4, false}, {"u64", 8, false}, {"s64", 8, false},
    {"b64", 8, false}, {"f32", 4, true},  {"f64", 8, true},
};

const struct value_type *value_type_find(const char *name)
{
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strcmp(types[k].name, name) == 0)
            return &types[k];
    return NULL;
}

static int64_t read_choice(struct reader *r);

static bool take(struct reader *r, const char *word)
{
    while (*r->at == ' ')
        r->at++;
    if (strncmp(r->at, word, strlen(word)) != 0)
        return false;
    r->at += strlen(word);
    return true;
}

static int64_t read_atom(struct reader *r)
{
    if (take(r, "-"))
        return (int64_t)(0 - (uint64_t)read_atom(r));
    if (take(r, "~"))
        return ~read_atom(r);
    if (take(r, "(")) {
        int64_t inner = read_choice(r);
        r->failed |= !take(r, ")");
        return inner;
    }
    if (take(r, "i"))
        return r->i;
    char *end;
    uint64_t number = strtoull(r->at, &end, 0);
    r->failed |= end == r->at || !isdigit((unsigned char)*r->at);
    r->at = end;
    return (int64_t)number;
}

/* Binary operators, strongest first. */
static const char *const levels[][5] = {
    {"*", "/", "%"}, {"+", "-"}, {"<<", ">>"}, {"<=", ">=", "<", ">"},
    {"==", "!="},    {"&"},      {"^"},        {"|"},
};
enum { LEVELS = sizeof levels / sizeof *levels };

static int64_t apply(struct reader *r, const char *op, int64_t x, int64_t y)
{
    uint64_t a = (uint64_t)x, b = (uint64_t)y;
    if (strchr("/%", *op) && y == 0) {
        r->failed = true;
        return 0;
    }
    switch (op[0] + (op[1] ? 256 * op[1] : 0)) {
    case '*': return (int64_t)(a * b);
    case '/': return x / y;
    case '%': return x % y;
    case '+': return (int64_t)(a + b);
    case '-': return (int64_t)(a - b);
    case '<' + 256 * '<': return (int64_t)(a << (b & 63));
    case '>' + 256 * '>': return (int64_t)(a >> (b & 63));
    case '<' + 256 * '=': return x <= y;
    case '>' + 256 * '=': return x >= y;
    case '<': return x < y;
    case '>': return x > y;
    case '=' + 256 * '=': return x == y;
    case '!' + 256 * '=': return x != y;
    case '&': return x & y;
    case '^': return x ^ y;
    default: return x | y;
    }
}

static int64_t read_level(struct reader *r, int level)
{
    if (level < 0)
        return read_atom(r);
    int64_t left = read_level(r, level - 1);
    for (int k = 0; k < 5 && levels[level][k]; k++) {
        if (take(r, levels[level][k])) {
            int64_t right = read_level(r, level - 1);
            left = apply(r, levels[level][k], left, right);
            k = -1; /* look for the next operator of this level */
        }
    }
    return left;
}

static int64_t read_choice(struct reader *r)
{
    int64_t condition = read_level(r, LEVELS - 1);
    if (!take(r, "?"))
        return condition;
    int64_t yes = read_choice(r);
    r->failed |= !take(r, ":");
    int64_t no = read_choice(r);
    return condition ? yes : no;
}

static uint64_t float_bits(double x, const struct value_type *type)
{
    uint64_t bits = 0;
    float narrow = (float)x;
    if (type->bytes == 4)
        memcpy(&bits, &narrow, sizeof narrow);
    else
        memcpy(&bits, &x, sizeof x);
    return bits;
}

bool value_parse(const char *text, int64_t i, const struct value_type *type,
                 uint64_t *bits)
{
    while (*text == ' ')
        text++;
    bool raw = strncmp(text, "0x", 2) == 0;
    bool literal =
        strchr(text, '.') || strstr(text, "inf") || strstr(text, "nan");
    if (type->is_float && literal) {
        char *end;
        *bits = float_bits(strtod(text, &end), type);
        return end != text && *end == '\0';
    }
    struct reader r = {text, i, false};
    int64_t value = read_choice(&r);
    while (*r.at == ' ')
        r.at++;
    if (type->is_float && !raw)
        *bits = float_bits((double)value, type);
    else
        *bits = (uint64_t)value & (~0ull >> (64 - 8 * type->bytes));
    return !r.failed && *r.at == '\0';
}
