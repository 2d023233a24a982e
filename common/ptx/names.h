/* Who is called what, and where: one hash table for all scopes.  A scope is
 * the module, a function or a { } inside; the key is the scope and the text,
 * so nothing has to be removed when a scope closes, and a branch to a label
 * that comes later can be looked up when the function is complete. */
#ifndef PTX_NAMES_H
#define PTX_NAMES_H

#include "base/arena.h"
#include "ptx/lex.h"
#include "ptx/program.h"

struct scope {
    struct scope *outer;  /* NULL for the module */
    int depth;            /* 0 module, 1 function, 2.. nested */
    struct scope *ranges; /* the scope for its NAME_REGISTERS: "%r" of
                             %r<15> is another name than the register %r */
};
enum name_kind {
    NAME_REGISTER,  /* index: in the function's registers */
    NAME_REGISTERS, /* %r<count>: %r0 ... each made when first used */
    NAME_VARIABLE,
    NAME_FUNCTION,
    NAME_LABEL,     /* index: of the instruction that follows */
    NAME_TARGETS,   /* .branchtargets: targets, count */
    NAME_PROTOTYPE, /* .callprototype, .calltargets */
};
struct name {
    const struct scope *scope;
    const char *text;
    int length;
    enum name_kind kind;
    int index;
    uint64_t count;
    enum ptx_type type;
    struct ptx_variable *variable;
    struct ptx_function *function;
    struct token *targets;
    struct ptx_operand *operands; /* the same as instruction indexes */
    struct name *next;            /* in the same bucket */
    uint64_t hash;
};
struct names {
    struct arena *arena;
    struct name **buckets;
    size_t bucket_count, name_count;
};

/* In this scope only; NULL if it has no such name. */
struct name *names_find(const struct names *, const struct scope *,
                        const char *text, int length);
/* From this scope outwards. */
struct name *names_lookup(const struct names *, const struct scope *,
                          const char *text, int length);
/* The text must outlive the table. */
struct name *names_add(struct names *, const struct scope *, const char *text,
                       int length, enum name_kind);

#endif
