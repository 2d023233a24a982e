/* The tables of types, opcodes, special registers and modifiers, made from
 * the .def files, and the search in them.  See ops.h. */
#include "ptx/ops.h"

#include <string.h>

static const struct {
    const char *name;
    int bytes;
    enum ptx_type_kind kind;
} type_rows[PTX_TYPE_COUNT] = {
#define TYPE(id, name, bytes, kind) {name, bytes, kind},
#include "ptx/types.def"
#undef TYPE
};

const struct ptx_op_info ptx_ops[OP_COUNT] = {
#define OP(id, name, shape, types, class, latency, meaning) \
    {name, shape, types, class, latency, meaning},
#include "ptx/ops.def"
#undef OP
};

const struct special_info ptx_specials[SR_COUNT] = {
#define SPECIAL(id, name, type, meaning) {name, PTX_##type, meaning},
#include "ptx/specials.def"
#undef SPECIAL
};

const struct modifier ptx_modifiers[] = {
#define MODIFIER(suffix, field, value, ops) {suffix, FIELD_##field, value, ops},
#include "ptx/modifiers.def"
#undef MODIFIER
};
const int ptx_modifier_count = sizeof ptx_modifiers / sizeof ptx_modifiers[0];

const char *ptx_type_name(enum ptx_type type)
{
    return type_rows[type].name;
}

int ptx_type_bytes(enum ptx_type type)
{
    return type_rows[type].bytes;
}

enum ptx_type_kind ptx_type_kind(enum ptx_type type)
{
    return type_rows[type].kind;
}

static bool same(const char *name, const char *text, int length)
{
    return strncmp(name, text, (size_t)length) == 0 && name[length] == '\0';
}

enum ptx_op ptx_op_find(const char *text, int length)
{
    for (int i = 0; i < OP_COUNT; i++)
        if (same(ptx_ops[i].name, text, length))
            return (enum ptx_op)i;
    return OP_COUNT;
}

enum ptx_type ptx_type_find(const char *text, int length)
{
    for (int i = 1; i < PTX_TYPE_COUNT; i++)
        if (same(type_rows[i].name, text, length))
            return (enum ptx_type)i;
    return PTX_TYPE_COUNT;
}

enum ptx_special ptx_special_find(const char *text, int length)
{
    for (int i = 0; i < SR_COUNT; i++)
        if (same(ptx_specials[i].name, text, length))
            return (enum ptx_special)i;
    return SR_COUNT;
}

/* Is `op` one of the words of `list`?  "cp.async" is one word. */
static bool lists(const char *list, const char *op)
{
    size_t length = strlen(op);
    for (const char *at = list; (at = strstr(at, op)); at += length)
        if ((at == list || at[-1] == ' ') &&
            (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

bool ptx_modifier_fits(const struct modifier *m, enum ptx_op op)
{
    return lists(m->ops, ptx_ops[op].name);
}

const struct modifier *ptx_modifier_find(enum ptx_op op, const char *text,
                                         int length)
{
    for (int i = 0; i < ptx_modifier_count; i++)
        if (same(ptx_modifiers[i].suffix, text, length) &&
            ptx_modifier_fits(&ptx_modifiers[i], op))
            return &ptx_modifiers[i];
    return NULL;
}

/* See the head of ops.def for the letters. */
bool ptx_op_takes(enum ptx_op op, enum ptx_type type)
{
    const char *letters = ptx_ops[op].types;
    int bytes = ptx_type_bytes(type);
    enum ptx_type_kind kind = ptx_type_kind(type);

    if (bytes == 1 && !strchr(letters, '8'))
        return false;
    if (bytes == 16)
        return strchr(letters, '1') != NULL;
    if (bytes == 2 && (strchr(letters, 'W') || strchr(letters, 'w')))
        return false;
    if (bytes == 8 && strchr(letters, 'w'))
        return false;
    switch (kind) {
    case KIND_BITS: return strchr(letters, 'b') != NULL;
    case KIND_UNSIGNED: return strchr(letters, 'u') != NULL;
    case KIND_SIGNED: return strchr(letters, 's') != NULL;
    case KIND_PREDICATE: return strchr(letters, 'p') != NULL;
    case KIND_PACKED: return strchr(letters, 'h') != NULL;
    case KIND_FLOAT:
        if (bytes == 2)
            return strchr(letters, 'h') != NULL;
        return strchr(letters, 'f') != NULL ||
               (bytes == 4 && strchr(letters, 'F'));
    default: return false;
    }
}
