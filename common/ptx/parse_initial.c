/* = 5   = {1, 2, {3, 4}}   = {generic(x)+8, y, 0xFF00(z)}   (PTX ISA 5.4.4)
 *
 * The bytes are written into a growing buffer, because x[] takes its size
 * from the values.  Addresses are not known yet: each one leaves eight zero
 * bytes and a relocation. */
#include "ptx/parse.h"

#include <stdlib.h>
#include <string.h>

struct initial {
    struct ptx_variable *variable;
    const uint64_t *sizes; /* of the dimensions; sizes[0] may be 0 */
    int count;
    uint64_t at;    /* next byte */
    uint64_t limit; /* bytes of the variable, or the module's limit */
    uint8_t *bytes;
    uint64_t capacity;
    struct list relocations;
    int mask_bytes; /* bytes seen of an address given in single bytes */
};

static bool reserve(struct parser *p, struct initial *in, uint64_t bytes,
                    const struct token *at)
{
    if (in->at + bytes > in->limit) {
        parse_fail(p, at, "too many values for '%s'", in->variable->name);
        return false;
    }
    while (in->at + bytes > in->capacity || !in->bytes) {
        uint64_t more = in->capacity ? in->capacity * 2 : 64;
        in->bytes = checked_realloc(in->bytes, more);
        memset(in->bytes + in->capacity, 0, more - in->capacity);
        in->capacity = more;
    }
    return true;
}

static bool store_number(struct parser *p, struct initial *in,
                         const struct token *at)
{
    struct ptx_operand value = {.kind = OPERAND_IMMEDIATE};
    enum token_kind literal;
    enum ptx_type type = in->variable->type;
    uint64_t bytes = (uint64_t)ptx_type_bytes(type);

    if (!parse_number(p, &value.bits, &literal) ||
        !check_immediate(p, &value, at, literal, type) ||
        !reserve(p, in, bytes, at))
        return false;
    memcpy(in->bytes + in->at, &value.bits, bytes < 8 ? bytes : 8);
    in->at += bytes;
    return true;
}

/* name, name+8, generic(name)+8: where the symbol is found comes later. */
static bool parse_symbol(struct parser *p, struct token *name, bool *generic,
                         int64_t *offset)
{
    uint64_t bits = 0;
    enum token_kind literal;

    *generic = false;
    *offset = 0;
    if (!parse_name(p, name, "a value"))
        return false;
    if (token_equals(name, "generic") && parse_accept(p, '(')) {
        *generic = true;
        if (!parse_name(p, name, "the name of a variable") ||
            !parse_expect(p, ')'))
            return false;
    }
    if (token_is(&p->tok, '+') || token_is(&p->tok, '-')) {
        struct token sign = p->tok;
        if (token_is(&p->tok, '+') && !parse_advance(p))
            return false;
        if (!parse_number(p, &bits, &literal))
            return false;
        if (literal != TOKEN_INTEGER)
            return parse_fail(p, &sign, "an offset must be a whole number");
        *offset = (int64_t)bits;
    }
    return !p->failed;
}

static void add_relocation(struct parser *p, struct initial *in,
                           const struct token *name, bool generic,
                           int64_t offset)
{
    struct symbol_use *use = list_push(&p->symbol_uses, sizeof *use);
    use->variable = in->variable;
    use->relocation = in->relocations.count;
    use->at = *name;
    use->scope = p->scope;
    struct ptx_relocation *r = list_push(&in->relocations, sizeof *r);
    r->at = in->at;
    r->offset = offset;
    r->generic = generic;
}

static bool store_symbol(struct parser *p, struct initial *in)
{
    struct token name;
    bool generic;
    int64_t offset;

    if (!parse_symbol(p, &name, &generic, &offset))
        return false;
    if (ptx_type_bytes(in->variable->type) != 8)
        return parse_fail(p, &name, "an address needs a 64-bit type");
    if (!reserve(p, in, 8, &name))
        return false;
    add_relocation(p, in, &name, generic, offset);
    in->at += 8;
    return true;
}

/* 0xFF00(1234): that byte of a number. */
static bool store_masked_number(struct parser *p, struct initial *in,
                                uint64_t mask, const struct token *at)
{
    uint64_t bits;
    enum token_kind literal;

    if (!parse_number(p, &bits, &literal) || !parse_expect(p, ')'))
        return false;
    if (literal != TOKEN_INTEGER || mask == 0 ||
        ptx_type_bytes(in->variable->type) != 1 || in->mask_bytes)
        return parse_fail(p, at, "this byte cannot be taken");
    if (!reserve(p, in, 1, at))
        return false;
    in->bytes[in->at++] =
        (uint8_t)((bits & mask) >> (__builtin_ctzll(mask) & ~7));
    return true;
}

/* 0xFF(x), 0xFF00(x), ...: one address in eight single bytes of a .b8 array.
 * The first byte makes the relocation, the others must follow it.  At the
 * opening parenthesis. */
static bool store_masked(struct parser *p, struct initial *in, uint64_t mask,
                         const struct token *at)
{
    struct token name;
    bool generic;
    int64_t offset;
    int byte = in->mask_bytes;

    if (!parse_expect(p, '('))
        return false;
    if (parse_at_number(p))
        return store_masked_number(p, in, mask, at);
    if (!parse_symbol(p, &name, &generic, &offset) || !parse_expect(p, ')'))
        return false;
    if (ptx_type_bytes(in->variable->type) != 1 || mask != 0xffull
                                                               << (8 * byte))
        return parse_fail(p, at,
                          "the bytes of an address must all be there, "
                          "lowest first");
    if (!reserve(p, in, 1, at))
        return false;
    if (byte == 0)
        add_relocation(p, in, &name, generic, offset);
    in->at++;
    in->mask_bytes = (byte + 1) % 8;
    return true;
}

static bool parse_value(struct parser *p, struct initial *in)
{
    struct token at = p->tok;

    if (at.kind == TOKEN_INTEGER) {
        uint64_t bits = at.bits;
        struct lexer ahead = p->lexer;
        struct token next = lex_next(&ahead);
        if (token_is(&next, '('))
            return parse_advance(p) && store_masked(p, in, bits, &at);
    }
    if (in->mask_bytes)
        return parse_fail(p, &at,
                          "the bytes of an address must all be there, "
                          "lowest first");
    return parse_at_number(p) ? store_number(p, in, &at) : store_symbol(p, in);
}

/* Bytes of one element of dimension `depth` (0 = the whole variable). */
static uint64_t row_bytes(const struct initial *in, int depth)
{
    uint64_t bytes = (uint64_t)ptx_type_bytes(in->variable->type);
    for (int i = depth; i < in->count; i++)
        bytes *= in->sizes[i];
    return bytes;
}

static bool end_row(struct parser *p, struct initial *in, uint64_t end,
                    const struct token *at)
{
    if (in->at > end)
        return parse_fail(p, at, "too many values in this row");
    if (!reserve(p, in, end - in->at, at))
        return false;
    in->at = end;
    return true;
}

/* Nested braces follow the dimensions; a short row ends in zeros. */
static bool parse_list(struct parser *p, struct initial *in)
{
    uint64_t row_start[16] = {0};
    int depth = 0;

    do {
        struct token at = p->tok;
        if (parse_accept(p, '{')) {
            if (depth > in->count || depth == 15)
                return parse_fail(p, &at, "more braces than dimensions");
            row_start[depth++] = in->at;
            if (!token_is(&p->tok, '}'))
                continue;
        } else if (!parse_value(p, in)) {
            return false;
        }
        while (depth > 0 && token_is(&p->tok, '}')) {
            depth--;
            at = p->tok;
            if (!parse_advance(p))
                return false;
            if (depth > 0 && depth < in->count &&
                !end_row(p, in, row_start[depth] + row_bytes(in, depth), &at))
                return false;
        }
        if (depth > 0 && !parse_expect(p, ','))
            return false;
    } while (depth > 0);
    return true;
}

bool parse_initialiser(struct parser *p, struct ptx_variable *v,
                       const uint64_t *sizes, int count)
{
    uint64_t left = MAX_INITIAL_BYTES - p->initial_bytes;
    struct initial in = {.variable = v, .sizes = sizes, .count = count};
    struct token at = p->tok;
    bool unsized = count > 0 && sizes[0] == 0;

    in.limit = unsized || v->bytes > left ? left : v->bytes;
    bool ok = parse_list(p, &in);
    if (ok && in.mask_bytes)
        ok = parse_fail(p, &at, "an address ends in the middle");
    if (ok && unsized)
        v->bytes = in.at;
    if (ok && v->bytes > left)
        ok = parse_fail(p, &at,
                        "the values of all variables need more than "
                        "%d MiB",
                        MAX_INITIAL_BYTES >> 20);
    if (ok) {
        uint8_t *bytes = arena_alloc(&p->program->arena, v->bytes);
        if (in.bytes)
            memcpy(bytes, in.bytes, in.at);
        p->initial_bytes += v->bytes;
        v->initial = bytes;
        v->relocation_count = in.relocations.count;
        v->relocations = list_finish(&in.relocations, &p->program->arena,
                                     sizeof *v->relocations);
    }
    free(in.relocations.data);
    free(in.bytes);
    return ok;
}
