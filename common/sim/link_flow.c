/* Branches, calls, barriers and warp-wide operations become code. */
#include "sim/link.h"

#include <string.h>

static bool refuse(struct link *l, const struct ptx_insn *insn,
                   const char *what)
{
    return ptx_error_at(l->function, insn, l->error, "%s", what);
}

/* ---- control flow --------------------------------------------------------------*/

static bool link_branch_index(struct link *l, const struct ptx_insn *insn,
                              struct code_insn *to)
{
    to->exec = X_BRANCH_INDEX;
    if (insn->target_count < 1)
        return refuse(l, insn, "brx needs a list of targets");
    to->targets = arena_array(&l->image->arena, (size_t)insn->target_count,
                              sizeof *to->targets);
    for (int k = 0; k < insn->target_count; k++)
        to->targets[k] = l->entry[insn->targets[k].target];
    to->reconverge = l->entry[insn->reconverge];
    return link_source(l, insn, to, 0, &insn->operand[0], 4);
}

/* An argument or result: the area of a .param variable, or a register. */
static bool call_place(struct link *l, const struct ptx_insn *insn,
                       const struct ptx_operand *o, struct slot *p)
{
    const struct param_area *area = NULL;
    if (o->kind == OPERAND_SYMBOL && o->variable)
        area = link_area(l, o->variable);
    if (area) {
        *p = (struct slot){.at = area->at, .area_bytes = area->bytes};
        return true;
    }
    return link_place(l, insn, o, 8, p) &&
           (p->bytes || refuse(l, insn, "a predicate cannot be passed"));
}

static bool link_native(struct link *l, const struct ptx_insn *insn,
                        struct code_insn *to)
{
    static const struct {
        const char *name;
        enum native native;
        int arguments;
    } natives[] = {{"vprintf", NATIVE_PRINTF, 2},
                   {"__assertfail", NATIVE_ASSERT, 4},
                   {"__assert_fail", NATIVE_ASSERT, 4}};
    const char *name = insn->call->callee ? insn->call->callee->name : "?";
    to->exec = X_CALL_NATIVE;
    for (size_t k = 0; k < sizeof natives / sizeof *natives; k++) {
        if (strcmp(natives[k].name, name))
            continue;
        to->native = (int)natives[k].native;
        return insn->call->argument_count >= natives[k].arguments ||
               refuse(l, insn, "too few arguments");
    }
    return ptx_error_at(l->function, insn, l->error,
                        "calls %s, which the program does not define and the "
                        "simulator does not have",
                        name);
}

static bool link_call(struct link *l, const struct ptx_insn *insn,
                      struct code_insn *to)
{
    const struct ptx_call *call = insn->call;
    to->exec = call->callee ? X_CALL : X_CALL_POINTER;
    if (!call->callee && !link_source(l, insn, to, 0, &call->pointer, 8))
        return false;
    to->arguments =
        arena_array(&l->image->arena, (size_t)call->argument_count + 1,
                    sizeof *to->arguments);
    for (int k = 0; k < call->argument_count; k++)
        if (!call_place(l, insn, &call->arguments[k], &to->arguments[k]))
            return false;
    to->d2 = (struct slot){.sink = true};
    if (call->result_count && !call_place(l, insn, &call->results[0], &to->d2))
        return false;
    if (to->d2.constant)
        return refuse(l, insn, "the result needs a place to go");
    to->vector = (uint8_t)call->argument_count;
    if (!call->callee)
        return call->argument_count < 256 ||
               refuse(l, insn, "too many arguments");
    if (!call->callee->has_body)
        return link_native(l, insn, to);
    if (call->argument_count != call->callee->param_count)
        return refuse(l, insn, "wrong number of arguments");
    to->callee = link_code(l, call->callee);
    return true;
}

bool link_flow(struct link *l, const struct ptx_insn *insn,
               struct code_insn *to)
{
    switch (insn->op) {
    case OP_BRA:
        to->exec = X_BRANCH;
        to->target = l->entry[insn->operand[0].target];
        to->reconverge = l->entry[insn->reconverge];
        return true;
    case OP_BRX: return link_branch_index(l, insn, to);
    case OP_CALL: return link_call(l, insn, to);
    case OP_RET: to->exec = X_RET; return true;
    case OP_EXIT: to->exec = X_EXIT; return true;
    default: to->exec = X_TRAP; return true;
    }
}

/* ---- block barriers --------------------------------------------------------------*/

static bool link_barrier(struct link *l, const struct ptx_insn *insn,
                         struct code_insn *to)
{
    int at = 0, end = insn->operand_count;
    to->exec = X_BARRIER;
    to->d2 = (struct slot){.sink = true};
    if (insn->mode == MODE_RED) {
        if (end < 3)
            return refuse(l, insn,
                          "barrier.red needs a result, a barrier and "
                          "a predicate");
        if (!link_destination(l, insn, to, &insn->operand[at++]) ||
            !link_predicate(l, insn, &insn->operand[--end], &to->p))
            return false;
        bool popc = insn->boolean == BOOL_POPC;
        if (popc != (to->d_bytes == 4))
            return refuse(l, insn, "the result does not fit the operation");
    }
    to->vector = (uint8_t)(end - at);
    if (to->vector < 1 || to->vector > 2)
        return refuse(l, insn, "a barrier number and perhaps a count wanted");
    const struct ptx_operand *o = &insn->operand[at];
    if (o->kind == OPERAND_IMMEDIATE && o->bits >= MAX_BARRIERS)
        return refuse(l, insn, "barriers have the numbers 0 to 15");
    o++;
    if (to->vector > 1 && o->kind == OPERAND_IMMEDIATE &&
        (o->bits == 0 || o->bits % WARP_LANES))
        return refuse(l, insn,
                      "a barrier counts whole warps: the number of "
                      "threads is a multiple of 32");
    for (int k = 0; k < to->vector; k++)
        if (!link_source(l, insn, to, k, &insn->operand[at + k], 4))
            return false;
    return true;
}

/* ---- warp-wide operations ---------------------------------------------------------*/

/* The membermask goes to source 3; forms without .sync have none. */
static bool link_mask(struct link *l, const struct ptx_insn *insn,
                      struct code_insn *to, int operand)
{
    if (operand >= insn->operand_count) {
        struct slot all = {.constant = 1, .bytes = 4};
        all.at = (uintptr_t)link_constant(l, ALL_LANES, 4);
        link_set_source(to, 3, &all);
        return true;
    }
    return link_source(l, insn, to, 3, &insn->operand[operand], 4);
}

static bool link_shuffle(struct link *l, const struct ptx_insn *insn,
                         struct code_insn *to)
{
    to->exec = X_SHUFFLE;
    if (!link_destination(l, insn, to, &insn->operand[0]))
        return false;
    if (to->d_bytes == 8 && insn->operand[0].kind != OPERAND_SINK)
        return refuse(l, insn, "shfl moves 32 bits");
    for (int k = 0; k < 3; k++)
        if (!link_source(l, insn, to, k, &insn->operand[k + 1], 4))
            return false;
    if ((to->constants >> 1 & 3) == 3) { /* the same lanes each time */
        struct shuffle_plan *plan = arena_alloc(&l->image->arena, sizeof *plan);
        sync_shuffle_plan(insn->mode, (const uint32_t *)to->src[1],
                          (const uint32_t *)to->src[2], plan);
        to->shuffle = plan;
    }
    return link_mask(l, insn, to, 4);
}

static bool link_vote(struct link *l, const struct ptx_insn *insn,
                      struct code_insn *to)
{
    to->exec = X_VOTE;
    if (insn->mode == MODE_BALLOT) {
        if (!link_destination(l, insn, to, &insn->operand[0]))
            return false;
        to->d2.sink = true;
    } else if (insn->operand[0].kind == OPERAND_REGISTER) {
        if (!link_place(l, insn, &insn->operand[0], 4, &to->d2))
            return false;
        if (to->d2.bytes)
            return refuse(l, insn, "the result must be a predicate");
    } else {
        to->d2.sink = true;
    }
    return link_predicate(l, insn, &insn->operand[1], &to->p) &&
           link_mask(l, insn, to, 2);
}

/* match redux elect: d, a, mask (elect: d, mask) */
static bool link_collect(struct link *l, const struct ptx_insn *insn,
                         struct code_insn *to, enum exec exec)
{
    int sources = exec == X_ELECT ? 0 : 1;
    to->exec = (uint8_t)exec;
    if (exec == X_REDUX) {
        to->atomic = alu_atomic_find(insn->atomic, insn->type, SPACE_SHARED);
        if (!to->atomic || ptx_type_bytes(insn->type) != 4 ||
            ptx_type_kind(insn->type) == KIND_FLOAT)
            return refuse(l, insn, "the simulator does not have this redux");
    }
    if (!link_destination(l, insn, to, &insn->operand[0]))
        return false;
    if (sources && !link_source(l, insn, to, 0, &insn->operand[1],
                                ptx_type_bytes(insn->type)))
        return false;
    if (exec == X_MATCH && to->a_bytes != ptx_type_bytes(insn->type))
        return refuse(l, insn, "match compares 32 or 64 bits");
    return link_mask(l, insn, to, 1 + sources);
}

bool link_sync(struct link *l, const struct ptx_insn *insn,
               struct code_insn *to)
{
    link_second(l, insn, to);
    switch (insn->op) {
    case OP_BAR:
    case OP_BARRIER:
        if (insn->mode != MODE_WARP)
            return link_barrier(l, insn, to);
        to->exec = X_WARP_SYNC;
        return link_mask(l, insn, to, 0);
    case OP_SHFL: return link_shuffle(l, insn, to);
    case OP_VOTE: return link_vote(l, insn, to);
    case OP_MATCH: return link_collect(l, insn, to, X_MATCH);
    case OP_REDUX: return link_collect(l, insn, to, X_REDUX);
    case OP_ELECT: return link_collect(l, insn, to, X_ELECT);
    case OP_ACTIVEMASK:
        to->exec = X_ACTIVEMASK;
        return link_destination(l, insn, to, &insn->operand[0]);
    case OP_MEMBAR:
    case OP_FENCE: to->exec = X_FENCE; return true;
    default: /* nanosleep, pmevent: time passes differently here */
        to->exec = X_NOP;
        return true;
    }
}
