/* A decoded program as text again: for people who want to see what the
 * simulator runs, and PTX that ptx_load takes back.
 *
 *     $at4:
 *         @%p2 bra $at9;                     // 4 kernel.cu:12, meet at 7
 *
 * Hints that change no result are gone.  Registers and variables of an inner
 * { } get $ and their number behind their name, since another { } may have
 * the same ones. */
#ifndef PTX_PRINT_H
#define PTX_PRINT_H

#include "base/text.h"
#include "ptx/program.h"

void ptx_print(struct text *, const struct ptx_program *);
void ptx_print_function(struct text *, const struct ptx_function *);
/* One instruction with its guard, up to and with the semicolon. */
void ptx_print_insn(struct text *, const struct ptx_function *,
                    const struct ptx_insn *);
void ptx_print_variable_name(struct text *, const struct ptx_variable *);
/* The bits of one value of a type, as a literal. */
void ptx_print_literal(struct text *, enum ptx_type, uint64_t bits);

#endif
