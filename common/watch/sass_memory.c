/* What ptxas does to accesses of memory: atomics that one lane does for its
 * warp, neighbours in shared memory that go together, small arrays of a
 * thread's own that become registers.  See sass.h. */
#include "watch/sass.h"

#include <string.h>

static bool is_atomic(const struct ptx_insn *in)
{
    return in->op == OP_ATOM || in->op == OP_RED;
}

static const struct ptx_operand *address_of(const struct ptx_insn *in)
{
    for (int k = 0; k < in->operand_count; k++)
        if (in->operand[k].kind == OPERAND_ADDRESS)
            return &in->operand[k];
    return NULL;
}

/* Steps over names of the same value. */
static const struct ptx_insn *origin(const struct sass_facts *f,
                                     const struct ptx_operand *o)
{
    const struct ptx_insn *in = sass_source(f, o);
    for (int steps = 0; steps < 8 && in; steps++) {
        bool is_name = (in->op == OP_CVTA || in->op == OP_MOV) &&
                       in->operand[1].kind == OPERAND_REGISTER;
        if (!is_name)
            return in;
        in = sass_source(f, &in->operand[1]);
    }
    return in;
}

/* ---- atomics -----------------------------------------------------------------*/

/* VOTE, S2R, FLO, ISETP, REDUX or POPC and a move; with an answer also the
 * lanes before this one and the leader's answer; a scan if the lanes add
 * different values.  What is there already is not made again. */
enum { GATHER = 6, GATHER_NEXT = 2, GATHER_ANSWER = 11, GATHER_SCAN = 25 };
/* In shared memory: load, operation, compare and swap, test, jump. */
enum { LOOP_FLOAT = 5, LOOP_WIDE = 6, LOOP_WIDE_CHOICE = 8 };

static bool is_jumped_to(const struct ptx_function *function, int k)
{
    for (int b = 0; b < function->insn_count; b++)
        if (function->insns[b].op == OP_BRA &&
            function->insns[b].operand[0].target == k)
            return true;
    return false;
}

/* Is this the body of "if (threadIdx.x == constant)"?  Then there is one lane. */
static bool is_one_thread(const struct sass_facts *f, int k)
{
    int first = k;
    while (first > 0 && f->block[first - 1] == f->block[k])
        first--;
    const struct ptx_insn *branch = &f->function->insns[first - 1];
    if (first == 0 || is_jumped_to(f->function, first) ||
        branch->op != OP_BRA || branch->guard < 0 ||
        f->defs[branch->guard] != 1)
        return false;
    const struct ptx_insn *test = &f->function->insns[f->def[branch->guard]];
    if (test->op != OP_SETP ||
        test->compare != (branch->guard_negated ? CMP_EQ : CMP_NE) ||
        test->operand[2].kind != OPERAND_IMMEDIATE)
        return false;
    const struct ptx_insn *from = origin(f, &test->operand[1]);
    return from && from->op == OP_MOV &&
           from->operand[1].kind == OPERAND_SPECIAL &&
           from->operand[1].special == SR_TID_X;
}

static bool is_same_for_all(const struct sass_facts *f,
                            const struct ptx_operand *o)
{
    return o->reg < 0 || !f->varies[o->reg];
}

static bool can_gather(const struct ptx_insn *in)
{
    bool is_choice = in->atomic == ATOMIC_MIN || in->atomic == ATOMIC_MAX ||
                     in->atomic == ATOMIC_AND || in->atomic == ATOMIC_OR ||
                     in->atomic == ATOMIC_XOR;
    if (ptx_type_kind(in->type) == KIND_FLOAT ||
        ptx_type_kind(in->type) == KIND_PACKED)
        return false;
    return in->atomic == ATOMIC_ADD ||
           (is_choice && ptx_type_bytes(in->type) == 4);
}

/* A loop in shared memory: floats, and 64 bits but for exchanges. */
static int shared_loop(const struct ptx_insn *in)
{
    if (ptx_type_kind(in->type) == KIND_FLOAT)
        return LOOP_FLOAT;
    if (ptx_type_bytes(in->type) < 8 || in->atomic == ATOMIC_EXCH ||
        in->atomic == ATOMIC_CAS)
        return 0;
    return in->atomic == ATOMIC_ADD ? LOOP_WIDE : LOOP_WIDE_CHOICE;
}

static void describe_atomic(struct sass_facts *f, int k, int *gathered_in)
{
    const struct ptx_insn *in = &f->function->insns[k];
    struct sass_insn *out = &f->out[k];
    bool is_shared = in->space == SPACE_SHARED;
    bool has_answer = in->op == OP_ATOM && f->uses[in->operand[0].reg] > 0 &&
                      in->operand[0].kind == OPERAND_REGISTER;
    const struct ptx_operand *value = &in->operand[in->op == OP_ATOM ? 2 : 1];
    const struct ptx_operand *address = address_of(in);
    bool is_constant = value->kind == OPERAND_IMMEDIATE;

    out->loop_cost = (uint16_t)(is_shared ? shared_loop(in) : 0);
    if (is_shared && !has_answer && in->atomic == ATOMIC_ADD && is_constant &&
        value->bits == 1 && !out->loop_cost) {
        out->merges_lanes = true;
        return;
    }
    bool is_equal = is_constant || is_same_for_all(f, value);
    bool narrow = ptx_type_bytes(in->type) == 4;
    if (!address || !is_same_for_all(f, address) || !can_gather(in) ||
        out->loop_cost || (!narrow && !is_equal) ||
        (has_answer && in->atomic != ATOMIC_ADD) || is_one_thread(f, k))
        return;
    out->is_gathered = true;
    out->idle++;
    if (has_answer)
        out->cost += is_equal ? GATHER_ANSWER : GATHER_SCAN;
    else
        out->cost += *gathered_in == f->block[k] ? GATHER_NEXT : GATHER;
    *gathered_in = f->block[k];
}

/* A fence for the whole GPU keeps atomics as they are, answer or not. */
static bool has_fence(const struct ptx_function *function)
{
    for (int k = 0; k < function->insn_count; k++) {
        const struct ptx_insn *in = &function->insns[k];
        if ((in->op == OP_MEMBAR || in->op == OP_FENCE) &&
            in->scope >= SCOPE_GPU)
            return true;
    }
    return false;
}

void sass_atomics(struct sass_facts *f)
{
    bool keeps = has_fence(f->function);
    int gathered_in = -1;
    for (int k = 0; k < f->function->insn_count; k++) {
        if (!is_atomic(&f->function->insns[k]))
            continue;
        describe_atomic(f, k, &gathered_in);
        f->out[k].is_red &= !keeps;
    }
}

/* ---- arrays of a thread's own -----------------------------------------------------*/

/* The largest array that ptxas keeps in registers, though an index that is not
 * constant reaches it: nine words. */
enum { KEPT_BYTES = 36 };

static bool is_constant_address(const struct sass_facts *f,
                                const struct ptx_operand *o)
{
    const struct ptx_insn *in = origin(f, o);
    for (int steps = 0; steps < 8 && in; steps++) {
        if (in->op == OP_MOV)
            return true;
        if (in->op != OP_ADD || in->operand[2].kind != OPERAND_IMMEDIATE)
            return false;
        in = origin(f, &in->operand[1]);
    }
    return !in && o->reg < 0;
}

static uint64_t local_bytes(const struct ptx_function *function)
{
    uint64_t bytes = 0;
    for (int k = 0; k < function->variable_count; k++)
        if (function->variables[k]->space == SPACE_LOCAL)
            bytes += function->variables[k]->bytes;
    return bytes;
}

/* An index that changes picks one of all words by predicates: a comparison
 * for each, which a load and a store of one place share, and a move. */
void sass_local(struct sass_facts *f)
{
    uint64_t bytes = local_bytes(f->function);
    int compared = -1, compared_in = -1;
    if (!bytes || bytes > KEPT_BYTES)
        return;
    for (int k = 0; k < f->function->insn_count; k++)
        if (f->function->insns[k].op == OP_CALL)
            return;
    for (int k = 0; k < f->function->insn_count; k++) {
        const struct ptx_insn *in = &f->function->insns[k];
        const struct ptx_operand *address = address_of(in);
        if (in->space != SPACE_LOCAL || !address ||
            (in->op != OP_LD && in->op != OP_ST))
            continue;
        uint16_t words = (uint16_t)(bytes / 4);
        f->out[k].is_kept = true;
        f->out[k].cost = 0;
        if (is_constant_address(f, address))
            continue;
        bool again = compared == address->reg && compared_in == f->block[k];
        f->out[k].cost = (uint16_t)(again ? words : 2 * words);
        f->out[k].idle = (uint16_t)(words - 1);
        compared = address->reg;
        compared_in = f->block[k];
    }
}

/* ---- neighbours in shared memory -----------------------------------------------------*/

/* What is known of a register: its value is `rest` more than a multiple of
 * `step`, a power of two up to 16; step 0: nothing was seen yet. */
struct known {
    uint32_t step, rest;
};
enum { STEP_MOST = 16 };

static struct known known(uint64_t step, uint64_t rest)
{
    step = step == 0 || step > STEP_MOST ? STEP_MOST : step;
    return (struct known){(uint32_t)step, (uint32_t)(rest & (step - 1))};
}

static struct known meet(struct known a, struct known b)
{
    if (!a.step || !b.step)
        return a.step ? a : b;
    uint32_t differ = a.rest ^ b.rest;
    uint32_t step = a.step < b.step ? a.step : b.step;
    uint32_t low = differ & -differ;
    return known(low && low < step ? low : step, a.rest);
}

/* Static shared variables lie one after the other. */
static uint64_t shared_place(const struct ptx_function *function,
                             const struct ptx_variable *v)
{
    uint64_t at = 0;
    for (int k = 0; k < function->variable_count; k++) {
        const struct ptx_variable *o = function->variables[k];
        if (o->space != SPACE_SHARED || o->is_extern)
            continue;
        uint64_t align = (uint64_t)(o->align > 0 ? o->align : 1);
        at = (at + align - 1) / align * align;
        if (o == v)
            return at;
        at += o->bytes;
    }
    return 0;
}

struct join {
    struct sass_facts *facts;
    struct known *known; /* by register */
};

static struct known known_of(const struct join *j, const struct ptx_operand *o)
{
    switch (o->kind) {
    case OPERAND_IMMEDIATE: return known(STEP_MOST, o->bits);
    case OPERAND_REGISTER: return j->known[o->reg];
    case OPERAND_SYMBOL:
        return o->variable && o->variable->space == SPACE_SHARED
                   ? known(STEP_MOST,
                           shared_place(j->facts->function, o->variable) +
                               (uint64_t)o->offset)
                   : known(1, 0);
    default: return known(1, 0);
    }
}

static struct known times(struct known a, struct known b)
{
    /* by a constant, in effect: both rests are exact for step 16 */
    struct known c = b.step == STEP_MOST ? b : a;
    struct known x = b.step == STEP_MOST ? a : b;
    if (c.step != STEP_MOST)
        return known(1, 0);
    uint64_t factor = c.rest ? c.rest : STEP_MOST;
    return known((factor & -factor) * x.step, factor * x.rest);
}

static struct known result_of(const struct join *j, const struct ptx_insn *in)
{
    struct known a = known_of(j, &in->operand[1]);
    struct known b = in->operand_count > 2 ? known_of(j, &in->operand[2]) : a;
    uint32_t step = a.step < b.step ? a.step : b.step;
    if (!a.step || !b.step)
        return (struct known){0, 0};
    switch (in->op) {
    case OP_MOV:
    case OP_CVTA:
    case OP_CVT: return ptx_type_kind(in->type) == KIND_FLOAT ? known(1, 0) : a;
    case OP_ADD: return known(step, a.rest + b.rest);
    case OP_SUB: return known(step, a.rest - b.rest);
    case OP_OR: return known(step, a.rest | b.rest);
    case OP_AND: {
        struct known mask = in->operand[2].kind == OPERAND_IMMEDIATE ? b : a;
        uint32_t low = mask.rest & -mask.rest;
        bool clears = mask.step == STEP_MOST && (low == 0 || low > step);
        return clears ? known(low, 0) : known(step, a.rest & b.rest);
    }
    case OP_SHL:
        return in->operand[2].kind == OPERAND_IMMEDIATE
                   ? times(a, known(STEP_MOST, in->operand[2].bits < 5
                                                   ? UINT64_C(1)
                                                         << in->operand[2].bits
                                                   : 0))
                   : known(1, 0);
    case OP_MUL: return in->flags & FLAG_HI ? known(1, 0) : times(a, b);
    case OP_MAD: {
        struct known c = known_of(j, &in->operand[3]);
        struct known p = times(a, b);
        return c.step
                   ? known(p.step < c.step ? p.step : c.step, p.rest + c.rest)
                   : c;
    }
    default: return known(1, 0);
    }
}

static void find_known(struct join *j)
{
    const struct ptx_function *function = j->facts->function;
    bool changed = true;
    while (changed) {
        changed = false;
        for (int k = 0; k < function->insn_count; k++) {
            const struct ptx_insn *in = &function->insns[k];
            if (in->operand_count < 2 ||
                in->operand[0].kind != OPERAND_REGISTER)
                continue;
            struct known *to = &j->known[in->operand[0].reg];
            struct known now = meet(*to, result_of(j, in));
            /* Of what several instructions write, only the alignment. */
            uint32_t low = now.rest & -now.rest;
            if (j->facts->defs[in->operand[0].reg] > 1 && low)
                now = known(low, 0);
            if (now.step == to->step && now.rest == to->rest)
                continue;
            *to = now;
            changed = true;
        }
    }
}

/* A load or store that may go with others; where it lies from its base on. */
struct part {
    int index;
    int base; /* register, or -1: the start of shared memory */
    bool is_store;
    int64_t at;    /* from its base on */
    int64_t chunk; /* of 8 or 16 aligned bytes */
    uint32_t wide; /* that */
    uint32_t bytes;
};
enum { PARTS = 64 };

static bool find_part(const struct join *j, int k, struct part *p)
{
    const struct ptx_insn *in = &j->facts->function->insns[k];
    const struct ptx_operand *a = address_of(in);
    if ((in->op != OP_LD && in->op != OP_ST) || in->space != SPACE_SHARED ||
        in->order != ORDER_WEAK || in->guard >= 0 || !a)
        return false;
    struct known base = a->reg >= 0 ? j->known[a->reg] : known(STEP_MOST, 0);
    uint32_t bytes = (uint32_t)(ptx_type_bytes(in->type) *
                                (in->vector > 1 ? in->vector : 1));
    if (base.step < 8 || (bytes != 4 && bytes != 8) || bytes >= base.step)
        return false;
    int64_t at = a->offset;
    if (a->variable)
        at += (int64_t)shared_place(j->facts->function, a->variable);
    int64_t place = at + base.rest;
    *p = (struct part){
        .index = k,
        .base = a->reg >= 0 ? a->reg : -1,
        .is_store = in->op == OP_ST,
        .at = at,
        .wide = base.step,
        .chunk = place >= 0 ? place / base.step : -1 - -place / base.step,
        .bytes = bytes,
    };
    return true;
}

static bool is_same_chunk(const struct part *a, const struct part *b)
{
    return a->base == b->base && a->chunk == b->chunk && a->wide == b->wide &&
           a->is_store == b->is_store;
}

/* The parts of one chunk from `first` on: which of its words they take. */
static uint32_t words_of(const struct part *parts, int count, int first,
                         const struct known *known)
{
    const struct part *a = &parts[first];
    uint32_t words = 0;
    for (int k = first; k < count; k++) {
        const struct part *p = &parts[k];
        if (!is_same_chunk(a, p))
            continue;
        uint32_t rest = p->base >= 0 ? known[p->base].rest : 0;
        uint32_t word = (uint32_t)(p->at + rest) % p->wide / 4;
        words |= (p->bytes == 8 ? 3u : 1u) << word;
    }
    return words;
}

/* Do the parts of chunk `a` become one access?  A store must have all of its
 * words, a load may miss one of four. */
static bool is_joinable(const struct part *a, uint32_t words)
{
    if (a->wide == 8)
        return words == 3;
    return words == 15 || (!a->is_store && __builtin_popcount(words) == 3);
}

/* The halves of a chunk by themselves: other chunks than those of 16. */
static void halve_chunk(const struct join *j, struct part *parts, int count,
                        struct part whole)
{
    for (int k = 0; k < count; k++) {
        struct part *p = &parts[k];
        if (!is_same_chunk(&whole, p))
            continue;
        uint32_t rest = p->base >= 0 ? j->known[p->base].rest : 0;
        p->wide = 8;
        p->chunk = 2 * p->chunk + ((p->at + rest) % 16 + 16) % 16 / 8;
    }
}

static void join_chunk(const struct join *j, struct part *parts, int count,
                       int first)
{
    const struct part whole = parts[first];
    uint32_t words = words_of(parts, count, first, j->known);
    if (!is_joinable(&whole, words)) {
        if (whole.wide != 16)
            return;
        halve_chunk(j, parts, count, whole);
        join_chunk(j, parts, count, first);
        return;
    }
    int others = 0;
    for (int k = first + 1; k < count; k++) {
        if (!is_same_chunk(&whole, &parts[k]))
            continue;
        parts[k].wide = 0; /* done */
        others++;
        j->facts->out[parts[k].index].is_joined = true;
        j->facts->out[parts[k].index].cost = 0;
    }
    if (others)
        j->facts->out[whole.index].join_bytes = (uint8_t)whole.wide;
}

/* The straight loop around instruction k, which ptxas writes four times: a
 * counter with a constant step ends it.  Where it begins, or 0; *step: what it
 * adds to register `base`. */
static int unrolled_loop(const struct sass_facts *f, int k, int base,
                         int64_t *step)
{
    const struct ptx_insn *insns = f->function->insns;
    int last = k, first = f->outer[k];
    while (last < f->function->insn_count && f->block[last] == f->block[k] &&
           insns[last].op != OP_BRA)
        last++;
    if (first <= 0 || last >= f->function->insn_count ||
        insns[last].op != OP_BRA || insns[last].operand[0].target != first ||
        f->block[first] != f->block[last])
        return 0;
    bool counts = false;
    *step = 0;
    for (int i = first; i < last; i++) {
        const struct ptx_insn *in = &insns[i];
        if (in->op != OP_ADD || in->operand[2].kind != OPERAND_IMMEDIATE)
            continue;
        int from = in->operand[1].reg, to = in->operand[0].reg;
        for (int m = i + 1; m < last; m++) /* "add t, r, 16; mov r, t" */
            if (insns[m].op == OP_MOV && insns[m].operand[1].reg == to &&
                insns[m].operand[1].kind == OPERAND_REGISTER)
                to = insns[m].operand[0].reg;
        if (from == to && from == base)
            *step += (int64_t)in->operand[2].bits;
        else
            counts |= from == to;
    }
    return counts && *step > 0 ? first : 0;
}

/* A load that is left over may fill what the loads of the next trip miss. */
static void join_next(const struct join *j, const struct part *parts, int count)
{
    struct sass_insn *out = j->facts->out;
    for (int k = 0; k < count; k++) {
        const struct part *p = &parts[k];
        int64_t step;
        int first;
        if (p->is_store || p->base < 0 || out[p->index].is_joined ||
            out[p->index].join_bytes ||
            !(first = unrolled_loop(j->facts, p->index, p->base, &step)))
            continue;
        int64_t rest = j->known[p->base].rest, at = p->at + rest - step;
        for (int i = 0; i < count; i++)
            if (parts[i].base == p->base &&
                out[parts[i].index].join_bytes == 16 && at >= 0 &&
                at / 16 == (parts[i].at + rest) / 16)
                out[p->index].joins_next = first;
    }
}

static void join_parts(const struct join *j, struct part *parts, int count)
{
    for (int k = 0; k < count; k++)
        if (parts[k].wide)
            join_chunk(j, parts, count, k);
    join_next(j, parts, count);
}

/* Where no access of shared memory may move past. */
static bool stops_joining(const struct sass_facts *f, int k,
                          const struct part *parts, int count)
{
    const struct ptx_insn *in = &f->function->insns[k];
    bool reaches = in->space == SPACE_SHARED || in->space == SPACE_GENERIC;
    if (count && f->block[k] != f->block[parts[0].index])
        return true;
    if (in->op == OP_CALL || in->op == OP_BAR || in->op == OP_BARRIER ||
        in->op == OP_MEMBAR || in->op == OP_FENCE || (is_atomic(in) && reaches))
        return true;
    bool is_load = in->op == OP_LD && reaches;
    bool is_store = in->op == OP_ST && reaches;
    if (count && (is_load || is_store) && parts[0].is_store != is_store)
        return true;
    int written = in->operand_count && in->operand[0].kind == OPERAND_REGISTER
                      ? in->operand[0].reg
                      : -1;
    for (int p = 0; p < count; p++)
        if (written >= 0 && parts[p].base == written)
            return true;
    return count == PARTS;
}

void sass_join(struct sass_facts *f)
{
    struct part parts[PARTS];
    int count = 0;
    struct join j = {.facts = f};
    j.known = arena_array(f->arena, (size_t)f->function->register_count + 1,
                          sizeof *j.known);
    find_known(&j);
    for (int k = 0; k < f->function->insn_count; k++) {
        if (stops_joining(f, k, parts, count)) {
            join_parts(&j, parts, count);
            count = 0;
        }
        count += find_part(&j, k, &parts[count]);
    }
    join_parts(&j, parts, count);
}
