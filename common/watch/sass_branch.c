/* What becomes of branches: short bodies are predicated, long ones framed.  See
 * sass.h. */
#include "watch/sass.h"

/* The longest body of an `if` that is predicated, in machine instructions; and
 * of one whose loads are then under way with others'. */
enum { PREDICATED_MOST = 8, PREDICATED_LOADS = 20 };

bool sass_is_return(const struct ptx_insn *in)
{
    return in->op == OP_RET || in->op == OP_EXIT;
}

/* Does nobody jump from outside into the instructions after `first` and
 * before `last`? */
static bool is_private(const struct sass_facts *f, int first, int last)
{
    for (int k = 0; k < f->function->insn_count; k++) {
        const struct ptx_insn *in = &f->function->insns[k];
        if (in->op == OP_BRX)
            return false;
        if (in->op != OP_BRA || (k >= first && k < last))
            continue;
        int target = in->operand[0].target;
        if (target > first && target < last)
            return false;
    }
    return true;
}

static bool is_atomic(const struct ptx_insn *in)
{
    return in->op == OP_ATOM || in->op == OP_RED;
}

/* Straight code that a predicate may stand before; its cost, or -1. */
static int straight_cost(const struct sass_facts *f, int first, int last)
{
    int cost = 0;
    bool carries = false; /* which takes one more */
    for (int k = first; k < last; k++) {
        const struct ptx_insn *in = &f->function->insns[k];
        enum ptx_class class = ptx_ops[in->op].class;
        carries |= in->op == OP_ADD && f->out[k].cost > 1 &&
                   ptx_type_bytes(in->type) == 8 &&
                   ptx_type_kind(in->type) != KIND_FLOAT;
        bool melted = in->op == OP_BRA && !f->out[k].is_jump;
        if (class == CLASS_SYNC || (class == CLASS_FLOW && !melted) ||
            (in->guard >= 0 && !melted) || is_atomic(in))
            return -1;
        /* A wider number is counted before it turns out to be for nothing. */
        bool widens = in->op == OP_CVT && ptx_type_bytes(in->type) == 8 &&
                      ptx_type_bytes(in->type2) <= 4 &&
                      f->uses[in->operand[0].reg];
        cost += f->out[k].cost + (widens && !f->out[k].cost);
    }
    return cost + carries;
}

/* Does control come to k from elsewhere, or leave before it, by a jump that is
 * one in machine instructions, too? */
static bool begins_piece(const struct sass_facts *f, int k)
{
    const struct ptx_insn *insns = f->function->insns;
    for (int b = 0; f->starts[k] && b < f->function->insn_count; b++)
        if (insns[b].op == OP_BRA && f->out[b].is_jump &&
            insns[b].operand[0].target == k)
            return true;
    return k > 0 && insns[k - 1].op == OP_BRA && f->out[k - 1].is_jump;
}

static bool is_global_load(const struct ptx_insn *in)
{
    return in->op == OP_LD && in->space == SPACE_GLOBAL;
}

/* Is there memory to wait for beside an `if` - in the straight code before the
 * branch at k, or in that from `target` on? */
static bool has_company(const struct sass_facts *f, int k, int target)
{
    const struct ptx_insn *insns = f->function->insns;
    for (int i = k; i > 0 && !begins_piece(f, i); i--) {
        if (ptx_ops[insns[i - 1].op].class == CLASS_SYNC)
            break;
        if (is_global_load(&insns[i - 1]))
            return true;
    }
    for (int i = target; i < f->function->insn_count; i++) {
        enum ptx_class class = ptx_ops[insns[i].op].class;
        if (is_global_load(&insns[i]) || insns[i].op == OP_BAR ||
            (class == CLASS_MEMORY && insns[i].space == SPACE_SHARED))
            return true;
        if (begins_piece(f, i + 1))
            break;
    }
    return false;
}

/* How long the body of the branch at k may be. */
static int longest_body(const struct sass_facts *f, int k, int target)
{
    for (int i = k + 1; i < target; i++)
        if (is_global_load(&f->function->insns[i]))
            return has_company(f, k, target) ? PREDICATED_LOADS
                                             : PREDICATED_MOST;
    return PREDICATED_MOST;
}

/* The branch at k jumps over its body: predicate the body. */
static bool melt_if(struct sass_facts *f, int k)
{
    int target = f->function->insns[k].operand[0].target;
    if (target <= k + 1 || target >= f->function->insn_count ||
        sass_is_return(&f->function->insns[target]) ||
        !is_private(f, k + 1, target))
        return false;
    int cost = straight_cost(f, k + 1, target);
    if (cost < 0 || cost > longest_body(f, k, target))
        return false;
    for (int i = k + 1; i < target; i++)
        if (f->out[i].with < 0)
            f->out[i].with = k;
    return true;
}

/* if (p) A; else B; with both short:  @p bra B; A; bra C; B: ... C: */
static bool melt_else(struct sass_facts *f, int k)
{
    const struct ptx_insn *insns = f->function->insns;
    int other = insns[k].operand[0].target;
    if (other <= k + 2 || other >= f->function->insn_count)
        return false;
    const struct ptx_insn *over = &insns[other - 1];
    if (over->op != OP_BRA || over->guard >= 0)
        return false;
    int end = over->operand[0].target;
    if (end <= other || end >= f->function->insn_count ||
        sass_is_return(&insns[end]) || !is_private(f, k + 1, other) ||
        !is_private(f, other, end))
        return false;
    int a = straight_cost(f, k + 1, other - 1);
    int b = straight_cost(f, other, end);
    if (a < 0 || b < 0 || a + b > PREDICATED_MOST)
        return false;
    for (int i = k + 1; i < end; i++)
        if (f->out[i].with < 0 && i != other - 1)
            f->out[i].with = k;
    f->out[other - 1] = (struct sass_insn){.with = k};
    return true;
}

/* Inner ones first: a branch that is gone lets the outer body be straight. */
static void melt_branches(struct sass_facts *f)
{
    const struct ptx_function *function = f->function;
    bool again = true;
    while (again) {
        again = false;
        for (int k = function->insn_count - 1; k >= 0; k--) {
            const struct ptx_insn *in = &function->insns[k];
            if (in->op != OP_BRA || in->guard < 0 || !f->out[k].is_jump)
                continue;
            if (!melt_if(f, k) && !melt_else(f, k))
                continue;
            f->out[k].is_jump = false;
            again = true;
        }
    }
}

/* A melted branch makes one straight piece of several, and the address of a
 * shared variable is made once in that, if not under a predicate. */
static void make_once(struct sass_facts *f)
{
    int count = f->function->insn_count, number = 0;
    int *piece = arena_array(f->arena, (size_t)count + 1, sizeof *piece);
    for (int k = 0; k < count; k++)
        piece[k] = number += begins_piece(f, k);
    for (int i = 0; i < f->made_count; i++) {
        const struct sass_made *a = &f->made[i];
        for (int k = 0;
             k < f->made_count && a->at >= 0 && f->out[a->at].with < 0; k++) {
            struct sass_made *b = &f->made[k];
            bool again = k > i || f->out[b->at].with >= 0;
            if (k == i || !again || a->at < 0 || b->at < 0 ||
                a->what != b->what || piece[a->at] != piece[b->at])
                continue;
            f->out[b->at].cost -= SASS_SHARED_ADDRESS;
            b->at = -1;
        }
    }
}

/* Branches that stay: those whose lanes may part are framed, so that the
 * lanes meet again (one frame for each place of meeting). */
static void frame_branches(struct sass_facts *f)
{
    for (int k = 0; k < f->function->insn_count; k++) {
        const struct ptx_insn *in = &f->function->insns[k];
        if (in->op != OP_BRA || in->guard < 0 || !f->out[k].is_jump)
            continue;
        if (sass_is_return(&f->function->insns[in->operand[0].target])) {
            f->out[k].is_exit = true;
            continue;
        }
        int meet = in->reconverge;
        if (!f->varies[in->guard] || meet < 0 ||
            meet >= f->function->insn_count || f->out[meet].is_meeting ||
            sass_is_return(&f->function->insns[meet]))
            continue;
        f->out[meet].is_meeting = true;
        f->out[meet].cost += 2;
    }
}

/* May the lanes of a warp have parted before instruction k: is it in a branch
 * or loop that some of them leave? */
static bool may_be_parted(const struct sass_facts *f, int k)
{
    for (int b = 0; b < f->function->insn_count; b++) {
        const struct ptx_insn *in = &f->function->insns[b];
        const struct sass_insn *out = &f->out[b];
        if (in->op != OP_BRA || in->guard < 0 || !f->varies[in->guard] ||
            !out->is_jump || out->is_exit)
            continue;
        int target = in->operand[0].target;
        if ((b < k && k < target) || (target <= k && k < b))
            return true;
    }
    return false;
}

/* What all lanes do together, where they may have parted, is written twice,
 * and a test picks: once for what follows up to the next branch. */
static void check_meetings(struct sass_facts *f)
{
    int checked_in = -1;
    for (int k = 0; k < f->function->insn_count; k++) {
        const struct ptx_insn *in = &f->function->insns[k];
        if ((in->op != OP_SHFL && in->op != OP_VOTE) ||
            f->block[k] == checked_in || !may_be_parted(f, k))
            continue;
        checked_in = f->block[k];
        f->out[k].cost += 2;
        f->out[k].is_check = true;
    }
}

/* Parts of a warp that shuffle by themselves, by a mask that is no constant:
 * first who belongs to whom is found out, and the parts come one by one. */
enum { FIND_PARTS = 5 };
static void find_parts(struct sass_facts *f)
{
    int found_in = -1;
    for (int k = 0; k < f->function->insn_count; k++) {
        const struct ptx_insn *in = &f->function->insns[k];
        if (in->op != OP_SHFL || f->block[k] == found_in)
            continue;
        const struct ptx_operand *mask = &in->operand[in->operand_count - 1];
        if (mask->kind != OPERAND_REGISTER || !f->varies[mask->reg])
            continue;
        found_in = f->block[k];
        f->out[k].cost += FIND_PARTS;
    }
}

/* Threads that jumped to the end have ended there: only those that come by
 * falling through run the last instruction. */
static void place_returns(struct sass_facts *f)
{
    const struct ptx_function *function = f->function;
    for (int k = 1; function->is_entry && k < function->insn_count; k++) {
        const struct ptx_insn *in = &function->insns[k];
        if (!sass_is_return(in) || in->guard >= 0 || !f->starts[k] ||
            in[-1].op == OP_BRA || f->out[k - 1].with >= 0)
            continue;
        f->out[k].cost = 0;
        f->out[k].is_end = false;
        f->out[k - 1].cost += 1;
        f->out[k - 1].is_end = true;
    }
}

void sass_branches(struct sass_facts *f)
{
    melt_branches(f);
    make_once(f);
    frame_branches(f);
    check_meetings(f);
    find_parts(f);
    place_returns(f);
}
