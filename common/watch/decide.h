/* Which branch decides that some threads come to an instruction and others
 * do not?  A guess for messages, made from the program's text: the innermost
 * branch around the instruction whose condition depends on the thread. */
#ifndef WATCH_DECIDE_H
#define WATCH_DECIDE_H

#include "ptx/program.h"

/* NULL if there is none. */
const struct ptx_insn *decide_branch(const struct ptx_function *,
                                     const struct ptx_insn *at);

#endif
