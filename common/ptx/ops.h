/* Looking things up by how they are spelled, and guessing what a misspelled
 * one was meant to be. */
#ifndef PTX_OPS_H
#define PTX_OPS_H

#include "ptx/program.h"

enum modifier_field {
    FIELD_SPACE,
    FIELD_ROUNDING,
    FIELD_COMPARE,
    FIELD_BOOLEAN,
    FIELD_ATOMIC,
    FIELD_MODE,
    FIELD_ORDER,
    FIELD_SCOPE,
    FIELD_FLAG,
    FIELD_DROP
};
struct modifier {
    const char *suffix; /* without the dot */
    enum modifier_field field;
    uint32_t value;
    const char *ops; /* the opcodes that take it, separated by spaces */
};
extern const struct modifier ptx_modifiers[];
extern const int ptx_modifier_count;

struct special_info {
    const char *name;
    enum ptx_type type;
    const char *meaning;
};
extern const struct special_info ptx_specials[SR_COUNT];

/* All take text that does not end in \0; the _COUNT value if unknown. */
enum ptx_op ptx_op_find(const char *text, int length);
enum ptx_type ptx_type_find(const char *text, int length); /* "f32" */
enum ptx_special ptx_special_find(const char *text, int length);
/* The row for this opcode, or NULL. */
const struct modifier *ptx_modifier_find(enum ptx_op, const char *text,
                                         int length);
bool ptx_modifier_fits(const struct modifier *, enum ptx_op);
/* Does the opcode take this type at all (the `types` column)? */
bool ptx_op_takes(enum ptx_op, enum ptx_type);

/* The operands of this instruction in the letters of ops.def. */
const char *ptx_shape(const struct ptx_insn *);
/* The type of the operand with this letter (not for the D and s of a mov that
 * packs or unpacks: there each element has a part of the type). */
enum ptx_type ptx_operand_type(const struct ptx_insn *, char letter);
/* .b64 in 2 parts is .b32; PTX_NONE if the parts would be too small. */
enum ptx_type ptx_part_type(enum ptx_type, int count);

/* The nearest known spelling, or NULL if nothing is near. */
const char *ptx_op_suggest(const char *text, int length);
/* An instruction of the PTX ISA that the simulator does not have? */
bool ptx_op_is_missing(const char *text, int length);
const char *ptx_special_suggest(const char *text, int length);
const char *ptx_modifier_suggest(enum ptx_op, const char *text, int length);

#endif
