/* Indexes that are narrower than n.  See wrap.h.
 *
 * Values are followed back from a comparison through copies, conversions and
 * sums.  A sum that leads back to itself is the step of a loop. */
#include "watch/wrap.h"

#include "base/arena.h"

#include <string.h>

enum { NONE = -1, MOST = 64 }; /* registers followed from one place */

struct wrap_search {
    const struct ptx_function *f;
    const struct ptx_variable *n;
    int *first; /* register -> an instruction whose result it is, or NONE */
    int *next;  /* instruction -> another one of the same register */
};

/* Registers that a value may come from. */
struct trail {
    int regs[MOST];
    int count;
};

/* ---- where registers come from ----------------------------------------------*/

static void find_definitions(struct wrap_search *s, struct arena *arena)
{
    const struct ptx_function *f = s->f;
    s->first =
        arena_array(arena, (size_t)f->register_count + 1, sizeof *s->first);
    s->next = arena_array(arena, (size_t)f->insn_count + 1, sizeof *s->next);
    for (int r = 0; r < f->register_count; r++)
        s->first[r] = NONE;
    for (int i = f->insn_count - 1; i >= 0; i--) {
        const struct ptx_operand *d = &f->insns[i].operand[0];
        const char *shape = ptx_ops[f->insns[i].op].shape;
        if (d->kind != OPERAND_REGISTER || (*shape != 'd' && *shape != 'D'))
            continue;
        s->next[i] = s->first[d->reg];
        s->first[d->reg] = i;
    }
}

static int register_of(const struct ptx_operand *o)
{
    return o->kind == OPERAND_REGISTER ? o->reg : NONE;
}

/* The only instruction that gives the register its value, or NULL. */
static const struct ptx_insn *only_definition(const struct wrap_search *s,
                                              int reg)
{
    int at = reg >= 0 ? s->first[reg] : NONE;
    return at >= 0 && s->next[at] < 0 ? &s->f->insns[at] : NULL;
}

static bool is_integer(enum ptx_type type, int bytes)
{
    return ptx_type_bytes(type) == bytes && ptx_type_kind(type) != KIND_FLOAT;
}

static bool is_sum(const struct ptx_insn *insn)
{
    return insn->op == OP_ADD || insn->op == OP_SUB;
}

static bool passes_on(const struct ptx_insn *insn)
{
    return insn->op == OP_MOV || insn->op == OP_CVT || is_sum(insn);
}

static bool has(const struct trail *t, int reg)
{
    for (int k = 0; k < t->count; k++)
        if (t->regs[k] == reg)
            return true;
    return false;
}

static void push(struct trail *t, int reg)
{
    if (reg >= 0 && t->count < MOST && !has(t, reg))
        t->regs[t->count++] = reg;
}

static void push_sources(struct trail *t, const struct ptx_insn *insn)
{
    for (int k = 1; passes_on(insn) && k < insn->operand_count; k++)
        push(t, register_of(&insn->operand[k]));
}

/* All that the registers of the trail may come from. */
static void extend(const struct wrap_search *s, struct trail *t)
{
    for (int done = 0; done < t->count; done++)
        for (int i = s->first[t->regs[done]]; i >= 0; i = s->next[i])
            push_sources(t, &s->f->insns[i]);
}

/* All that the sources of `insn` may come from. */
static struct trail follow(const struct wrap_search *s,
                           const struct ptx_insn *insn)
{
    struct trail t = {.count = 0};
    push_sources(&t, insn);
    extend(s, &t);
    return t;
}

/* ---- n and indexes ------------------------------------------------------------*/

static bool loads_n(const struct wrap_search *s, const struct ptx_insn *d,
                    int bytes)
{
    return d && d->op == OP_LD && d->operand[1].variable == s->n &&
           !d->operand[1].offset && ptx_type_bytes(d->type) == bytes;
}

static bool is_n(const struct wrap_search *s, const struct ptx_operand *o)
{
    return loads_n(s, only_definition(s, register_of(o)), 8);
}

static bool is_half_of_n(const struct wrap_search *s,
                         const struct ptx_operand *o)
{
    const struct ptx_insn *d = only_definition(s, register_of(o));
    return loads_n(s, d, 4) ||
           (d && d->op == OP_CVT && ptx_type_bytes(d->type) == 4 &&
            is_n(s, &d->operand[1]));
}

/* Is every value of it one of 32 bits that was widened? */
static bool is_widened(const struct wrap_search *s, int reg)
{
    int i = reg >= 0 ? s->first[reg] : NONE;
    for (int k = i; k >= 0; k = s->next[k])
        if (s->f->insns[k].op != OP_CVT ||
            !is_integer(s->f->insns[k].type, 8) ||
            !is_integer(s->f->insns[k].type2, 4))
            return false;
    return i >= 0;
}

/* Does the sum lead back to itself? */
static bool is_step(const struct wrap_search *s, const struct ptx_insn *insn,
                    int bytes, struct trail *before)
{
    if (!is_sum(insn) || !is_integer(insn->type, bytes))
        return false;
    *before = follow(s, insn);
    return has(before, register_of(&insn->operand[0]));
}

/* Does the value come from a loop's step of 32 bits? */
static bool is_stepped(const struct wrap_search *s, int reg)
{
    struct trail mine = {.count = 0}, before;
    push(&mine, reg);
    extend(s, &mine);
    for (int i = 0; i < s->f->insn_count; i++) {
        const struct ptx_insn *insn = &s->f->insns[i];
        if (has(&mine, register_of(&insn->operand[0])) &&
            is_step(s, insn, 4, &before))
            return true;
    }
    return false;
}

/* Does a loop's index of 64 bits begin with it? */
static bool goes_on_wide(const struct wrap_search *s, int reg)
{
    struct trail before;
    for (int i = 0; i < s->f->insn_count; i++)
        if (is_step(s, &s->f->insns[i], 8, &before) && has(&before, reg))
            return true;
    return false;
}

/* A product with the block's number in it, in 32 bits. */
static bool is_of_grid(const struct wrap_search *s, const struct ptx_operand *o,
                       bool is_factor, int *patience)
{
    if (o->kind == OPERAND_SPECIAL)
        return is_factor && o->special == SR_CTAID_X;
    int i = o->kind == OPERAND_REGISTER ? s->first[o->reg] : NONE;
    for (; i >= 0 && --*patience > 0; i = s->next[i]) {
        const struct ptx_insn *d = &s->f->insns[i];
        bool multiplies = d->op == OP_MUL || d->op == OP_MAD || d->op == OP_SHL;
        if ((!multiplies && !passes_on(d) && d->op != OP_OR) ||
            d->flags & (FLAG_WIDE | FLAG_HI))
            continue;
        for (int k = 1; k < d->operand_count; k++)
            if (is_of_grid(s, &d->operand[k],
                           is_factor || (multiplies && k < 3), patience))
                return true;
    }
    return false;
}

/* ---- comparisons -----------------------------------------------------------------*/

static bool is_index(const struct wrap_search *s, const struct ptx_operand *o)
{
    int patience = 4 * MOST;
    return is_of_grid(s, o, false, &patience);
}

static enum wrap judge(const struct wrap_search *s,
                       const struct ptx_operand *index,
                       const struct ptx_operand *limit, int bytes)
{
    int reg = register_of(index);
    if (reg < 0)
        return WRAP_NONE;
    if (bytes == 4 && is_half_of_n(s, limit))
        return is_index(s, index) || is_stepped(s, reg) ? WRAP_N : WRAP_NONE;
    if (bytes != 8 || !is_n(s, limit) || !is_widened(s, reg))
        return WRAP_NONE;
    if (is_stepped(s, reg))
        return WRAP_LOOP;
    return is_index(s, index) && !goes_on_wide(s, reg) ? WRAP_INDEX : WRAP_NONE;
}

/* A kernel that looks at how large n is knows what it does. */
static bool tests_n(const struct wrap_search *s, const struct ptx_insn *insn)
{
    const struct ptx_operand *a = &insn->operand[1], *b = &insn->operand[2];
    return insn->op == OP_SETP &&
           ((is_n(s, a) && b->kind == OPERAND_IMMEDIATE && b->bits > 1) ||
            (is_n(s, b) && a->kind == OPERAND_IMMEDIATE && a->bits > 1));
}

static enum wrap judge_comparison(const struct wrap_search *s,
                                  const struct ptx_insn *insn)
{
    int bytes = ptx_type_bytes(insn->type);
    const struct ptx_operand *a = &insn->operand[1], *b = &insn->operand[2];
    if (insn->op != OP_SETP || insn->compare == CMP_EQ ||
        insn->compare == CMP_NE)
        return WRAP_NONE;
    enum wrap w = judge(s, a, b, bytes);
    return w == WRAP_NONE ? judge(s, b, a, bytes) : w;
}

void wrap_find(const struct ptx_function *f, wrap_fn *visit, void *data)
{
    struct arena arena = {0};
    struct wrap_search s = {.f = f};
    bool is_tested = false;
    if (!f->is_entry || f->param_count != 3 || f->params[2]->bytes != 8)
        return;
    s.n = f->params[2];
    find_definitions(&s, &arena);
    for (int i = 0; i < f->insn_count; i++)
        is_tested |= tests_n(&s, &f->insns[i]);
    /* A loop is compared twice, before it and at its end: what is said about
     * loops comes first. */
    for (int round = 0; round < 2 && !is_tested; round++)
        for (int i = 0; i < f->insn_count; i++) {
            enum wrap w = judge_comparison(&s, &f->insns[i]);
            if (w != WRAP_NONE && (w == WRAP_LOOP) == (round == 0))
                visit(data, &f->insns[i], w);
        }
    arena_free(&arena);
}
