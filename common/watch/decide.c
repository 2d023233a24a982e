/* The branch that parts threads before an instruction.  See decide.h. */
#include "watch/decide.h"

#include "ptx/flow.h"

#include <stdlib.h>
#include <string.h>

static bool is_thread_special(enum ptx_special s)
{
    return s == SR_TID_X || s == SR_TID_Y || s == SR_TID_Z || s == SR_LANEID ||
           s == SR_WARPID || (s >= SR_LANEMASK_EQ && s <= SR_LANEMASK_GT);
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

/* Does control that starts at `from` come to `at` before it comes to `stop`? */
struct walk {
    const struct ptx_function *function;
    bool *seen;
    int *left; /* still to be looked at */
    int count;
};

static void walk_to(struct walk *w, int insn)
{
    if (insn < w->function->insn_count && !w->seen[insn]) {
        w->seen[insn] = true;
        w->left[w->count++] = insn;
    }
}

static bool reaches(struct walk *w, int from, int at, int stop)
{
    const struct ptx_function *f = w->function;
    memset(w->seen, 0, (size_t)f->insn_count);
    w->count = 0;
    walk_to(w, from);
    while (w->count) {
        int i = w->left[--w->count];
        const struct ptx_insn *insn = &f->insns[i];
        if (i == at)
            return true;
        if (i == stop)
            continue;
        if (insn->op == OP_BRA)
            walk_to(w, insn->operand[0].target);
        for (int k = 0; k < insn->target_count; k++)
            walk_to(w, insn->targets[k].target);
        if (!ptx_ends_block(insn) || insn->guard >= 0)
            walk_to(w, i + 1);
    }
    return false;
}

/* Do lanes that take one side of the branch come to `at`, and those of the
 * other side not, before they all meet again? */
static bool decides(struct walk *w, int branch, int at)
{
    const struct ptx_insn *insn = &w->function->insns[branch];
    int meet = insn->reconverge;
    return reaches(w, insn->operand[0].target, at, meet) !=
           reaches(w, branch + 1, at, meet);
}

const struct ptx_insn *decide_branch(const struct ptx_function *f,
                                     const struct ptx_insn *at)
{
    size_t size = (size_t)f->insn_count + 1;
    struct spread s = {.depends = checked_alloc((size_t)f->register_count + 1)};
    struct walk w = {f, checked_alloc(size), checked_alloc(size * sizeof(int)),
                     0};
    int here = (int)(at - f->insns), best = -1;
    find_dependent(f, &s);
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        if (insn->op != OP_BRA || insn->guard < 0 || !s.depends[insn->guard] ||
            !decides(&w, i, here))
            continue;
        if (i < here || best < 0)
            best = i;
    }
    free(s.depends);
    free(w.seen);
    free(w.left);
    return best < 0 ? NULL : &f->insns[best];
}
