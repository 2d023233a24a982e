/* Pipes and latencies of instructions.  See cost_lower.h. */
#include "watch/cost_lower.h"
#include "watch/sass.h"

enum { SPECIAL_LATENCY = 20 /* S2R, measured by others on recent GPUs */ };

static bool is_fixed(enum ptx_special s)
{
    switch (s) { /* lie in the constant bank */
    case SR_NTID_X:
    case SR_NTID_Y:
    case SR_NTID_Z:
    case SR_NCTAID_X:
    case SR_NCTAID_Y:
    case SR_NCTAID_Z: return true;
    default: return false;
    }
}

/* Which pipes the machine instructions of a value take. */
static void find_pipes(const struct ptx_insn *in, struct cost_lowered *s)
{
    bool is_float = ptx_type_kind(in->type) == KIND_FLOAT;
    bool is_product = in->op == OP_MUL || in->op == OP_MAD || in->op == OP_FMA;

    if (is_float && ptx_type_bytes(in->type) == 8)
        s->doubles = s->issue;
    else if (!is_float && !is_product) /* products are on the float pipe */
        s->ints = s->issue;
    switch (in->op) {
    case OP_DIV:
    case OP_REM: /* to float, 1 / b, back; half are products */
        s->xus = is_float ? 1 : 3;
        s->ints /= 2;
        break;
    case OP_RCP:
    case OP_SQRT:
    case OP_RSQRT:
    case OP_SIN:
    case OP_COS:
    case OP_LG2:
    case OP_EX2:
    case OP_TANH:
    case OP_POPC:
        s->xus = 1;
        s->ints = 0;
        break;
    case OP_CVT:
        s->xus = is_float || ptx_type_kind(in->type2) == KIND_FLOAT;
        s->ints -= s->ints && s->xus;
        break;
    default: break;
    }
}

static struct cost_lowered lower_value(const struct ptx_insn *in, int issue)
{
    struct cost_lowered s = {.issue = issue};
    int latency = ptx_ops[in->op].latency;

    find_pipes(in, &s);

    if (in->op == OP_MOV && in->operand[1].kind == OPERAND_SPECIAL &&
        !is_fixed(in->operand[1].special))
        s.latency = SPECIAL_LATENCY;
    else if (latency > 4)
        s.latency = latency;
    else if (ptx_type_kind(in->type) == KIND_FLOAT &&
             ptx_type_bytes(in->type) == 8)
        s.latency = 8;
    return s;
}

static struct cost_lowered lower_memory(const struct ptx_insn *in, int issue)
{
    struct cost_lowered s = {.issue = issue};
    bool is_atomic = in->op == OP_ATOM || in->op == OP_RED;

    if (in->space == SPACE_PARAM || in->space == SPACE_CONST) {
        s.latency = 8; /* the constant cache, or an operand */
        s.is_constant = true;
        return s;
    }
    s.pipe = in->space == SPACE_SHARED ? PIPE_SHARED
             : is_atomic               ? PIPE_ATOMIC
                                       : PIPE_GLOBAL;
    /* Nothing moves across what may write the same place. */
    s.is_bound = is_atomic || in->op == OP_ST || in->order != ORDER_WEAK;
    return s;
}

static struct cost_lowered lower_sync(const struct ptx_insn *in, int issue)
{
    struct cost_lowered s = {.pipe = PIPE_VALUE, .issue = issue};
    switch (in->op) {
    case OP_BAR:
    case OP_BARRIER:
        s.is_bound = true;
        s.pipe = in->mode == MODE_WARP ? PIPE_VALUE : PIPE_BARRIER;
        return s;
    case OP_MEMBAR:
    case OP_FENCE:
        s.pipe = in->scope == SCOPE_CTA ? PIPE_VALUE : PIPE_FENCE;
        s.is_bound = true;
        return s;
    case OP_SHFL: s.pipe = PIPE_SHUFFLE; return s;
    case OP_MATCH:
    case OP_REDUX: s.pipe = PIPE_SHUFFLE; break;
    default: break;
    }
    s.latency = ptx_ops[in->op].latency;
    return s;
}

static struct cost_lowered lower(const struct ptx_insn *in, int issue)
{
    switch (ptx_ops[in->op].class) {
    case CLASS_MEMORY: return lower_memory(in, issue);
    case CLASS_SYNC: return lower_sync(in, issue);
    case CLASS_FLOW:
        return (struct cost_lowered){
            .pipe = PIPE_BRANCH, .issue = issue, .is_bound = true};
    default: return lower_value(in, issue);
    }
}

struct cost_lowered *cost_lower(struct arena *arena,
                                const struct ptx_function *f)
{
    const struct sass_insn *sass = sass_estimate(arena, f);
    struct cost_lowered *out =
        arena_array(arena, (size_t)f->insn_count + 1, sizeof *out);

    for (int i = 0; i < f->insn_count; i++) {
        out[i] = lower(&f->insns[i], sass[i].cost + sass[i].is_jump);
        out[i].is_joined = sass[i].is_joined;
        if (sass[i].is_kept)
            out[i] = (struct cost_lowered){
                .issue = sass[i].cost, .ints = sass[i].cost, .is_kept = true};
        if (f->insns[i].op == OP_BRA && !sass[i].is_jump) {
            out[i].is_bound = false;
            out[i].pipe = PIPE_VALUE;
        }
    }
    for (int i = 0; i < f->insn_count; i++) {
        int branch = sass[i].with;
        if (branch < 0 || branch >= f->insn_count)
            continue;
        out[branch].is_folded = true;
        out[branch].body_issue += sass[i].cost;
    }
    return out;
}
