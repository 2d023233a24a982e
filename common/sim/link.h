/* What link.c and link_insn.c share. */
#ifndef SIM_LINK_H
#define SIM_LINK_H

#include "sim/machine.h"

enum { PARAMS_BYTES = 32 * 1024 };

/* Where a shared or local variable lies. */
struct layout_entry {
    const struct ptx_variable *variable;
    uint64_t at;
};

struct link {
    struct module *module;
    struct image *image;
    struct code *code; /* being linked */
    const struct ptx_function *function;
    struct layout_entry *layout;
    int layout_count, layout_capacity;
    const struct ptx_variable **tables; /* with addresses in their values */
    int table_count, tables_followed;
    int *entry;                 /* PTX index -> code index, its X_JOIN if any */
    const bool *result_unused;  /* by PTX index; NULL: nothing is known */
    struct constant *constants; /* 32-lane arrays made so far */
    struct error *error;
};

/* The buffer of a global or constant variable, else NULL. */
struct buffer *module_buffer(const struct module *,
                             const struct ptx_variable *);
/* Address of a variable: in its space for SHARED, LOCAL and kernel PARAM,
 * global for the others. */
uint64_t link_address(const struct link *, const struct ptx_variable *);
/* A 32-lane array of one value; made once. */
const void *link_constant(struct link *, uint64_t bits, int bytes);
/* The area of a call parameter, or NULL if the variable is none. */
const struct param_area *link_area(const struct link *,
                                   const struct ptx_variable *);
struct code *link_code(const struct link *, const struct ptx_function *);

/* ---- operands, for link_insn.c and link_flow.c: each refuses with a message */

/* A source that is a register or a constant; type_bytes: the size of an
 * immediate.  Predicates come back with bytes 0. */
bool link_place(struct link *, const struct ptx_insn *,
                const struct ptx_operand *, int type_bytes, struct slot *);
void link_set_source(struct code_insn *, int k, const struct slot *);
/* Source k of `to`; no predicate. */
bool link_source(struct link *, const struct ptx_insn *, struct code_insn *to,
                 int k, const struct ptx_operand *, int type_bytes);
bool link_predicate(struct link *, const struct ptx_insn *,
                    const struct ptx_operand *, struct slot *);
bool link_destination(struct link *, const struct ptx_insn *,
                      struct code_insn *to, const struct ptx_operand *);
void link_second(struct link *, const struct ptx_insn *, struct code_insn *to);

bool link_flow(struct link *, const struct ptx_insn *, struct code_insn *);
bool link_sync(struct link *, const struct ptx_insn *, struct code_insn *);

/* Bytes of an element of the variable, as far as its declaration says. */
uint32_t link_usual_element(const struct ptx_variable *);
/* Finds the elements of image->shared and of the module's buffers; see
 * link_elements.c.  After list_shared(). */
void link_elements(struct link *);

/* Translates one instruction; false with a message if we cannot run it. */
bool link_insn(struct link *, const struct ptx_insn *, struct code_insn *);

#endif
