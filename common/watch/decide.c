/* The branch that parts threads before an instruction.  See decide.h. */
#include "watch/decide.h"

#include "ptx/flow.h"

#include <stdlib.h>

static bool is_thread_special(enum ptx_special s)
{
    return s == SR_TID_X || s == SR_TID_Y || s == SR_TID_Z ||
           s == SR_LANEID || s == SR_WARPID ||
           (s >= SR_LANEMASK_EQ && s <= SR_LANEMASK_GT);
}

/* Differs between threads whatever its operands are: what it reads from
 * memory or from other lanes. */
static bool starts_dependence(const struct ptx_insn *insn)
{
    for (int k = 0; k < insn->operand_count; k++)
        if (insn->operand[k].kind == OPERAND_SPECIAL &&
            is_thread_special(insn->operand[k].special))
            return true;
    switch (insn->op) {
    case OP_LD: return insn->space != SPACE_PARAM;
    case OP_ATOM:
    case OP_SHFL:
    case OP_VOTE:
    case OP_MATCH:
    case OP_CALL: return true;
    default: return false;
    }
}

struct spread {
    bool *depends; /* register -> its value differs between threads */
    bool reads, changed;
};

static void look(void *data, int reg, bool is_write)
{
    struct spread *s = data;
    if (!is_write)
        s->reads |= s->depends[reg];
    else if (s->reads && !s->depends[reg])
        s->depends[reg] = s->changed = true;
}

static void find_dependent(const struct ptx_function *f, struct spread *s)
{
    do {
        s->changed = false;
        for (int i = 0; i < f->insn_count; i++) {
            s->reads = starts_dependence(&f->insns[i]);
            ptx_each_register(&f->insns[i], look, s);
        }
    } while (s->changed);
}

/* Is instruction `at` between the branch and where its lanes meet again, or
 * inside the loop that it closes? */
static bool encloses(const struct ptx_function *f, int branch, int at)
{
    const struct ptx_insn *insn = &f->insns[branch];
    if (branch < at)
        return at < insn->reconverge;
    return insn->operand[0].kind == OPERAND_LABEL &&
           insn->operand[0].target <= at;
}

const struct ptx_insn *decide_branch(const struct ptx_function *f,
                                     const struct ptx_insn *at)
{
    struct spread s = {.depends = checked_alloc(
                           (size_t)f->register_count * sizeof(bool) + 1)};
    int here = (int)(at - f->insns), best = -1;
    find_dependent(f, &s);
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        if (insn->op != OP_BRA || insn->guard < 0 ||
            !s.depends[insn->guard] || !encloses(f, i, here))
            continue;
        if (i < here || best < 0)
            best = i;
    }
    free(s.depends);
    return best < 0 ? NULL : &f->insns[best];
}
