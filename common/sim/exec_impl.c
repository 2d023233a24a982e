/* Runs one split of a warp: the inner loop of the simulator.
 *
 * Compiled once per x86 level with -DALU_LEVEL=name (see exec.c); all speed lies
 * here and in the two headers it includes.  A value is computed for all 32
 * lanes; if some lanes of the warp take no part it goes to a scratch register
 * first and is merged by lane. */
#include "sim/exec_access.h"
#include "sim/exec_values.h"

/* Where the loop goes on after an instruction that may have moved lanes. */
enum next {
    NEXT_ON,
    NEXT_JUMP,
    NEXT_CHANGED,
    NEXT_SPINS,
    NEXT_SLICE,
    NEXT_TURN,
    NEXT_STOPPED
};

/* What all lanes of a warp read alike. */
static uint64_t special_of_warp(const struct run *r, const struct code_insn *in)
{
    const struct block *b = r->b;
    const struct launch *l = b->machine->launch;
    switch (in->insn->operand[1].special) {
    case SR_NTID_X: return l->block[0];
    case SR_NTID_Y: return l->block[1];
    case SR_NTID_Z: return l->block[2];
    case SR_CTAID_X:
    case SR_CLUSTERID_X: return b->ctaid[0];
    case SR_CTAID_Y: return b->ctaid[1];
    case SR_CTAID_Z: return b->ctaid[2];
    case SR_NCTAID_X:
    case SR_NCLUSTERID_X: return l->grid[0];
    case SR_NCTAID_Y: return l->grid[1];
    case SR_NCTAID_Z: return l->grid[2];
    case SR_WARPID: return r->w->index;
    case SR_NWARPID: return 64;
    case SR_SMID: return b->index % 132;
    case SR_NSMID: return 132;
    case SR_WARP_SZ: return WARP_LANES;
    case SR_DYNAMIC_SMEM_SIZE: return l->dynamic_shared;
    case SR_TOTAL_SMEM_SIZE:
        return b->machine->info.static_shared + l->dynamic_shared;
    case SR_CLUSTER_NCTARANK: return 1;
    case SR_CLOCK:
    case SR_CLOCK64:
    case SR_GLOBALTIMER:
    case SR_GLOBALTIMER_LO: return 4 * b->instructions;
    case SR_CLOCK_HI:
    case SR_GLOBALTIMER_HI: return 4 * b->instructions >> 32;
    case SR_ENVREG: return machine_envreg(b->machine, in->insn);
    default: return 0;
    }
}

/* What each lane reads differently; false: all read alike. */
static bool special_of_lanes(const struct run *r, enum ptx_special special,
                             uint32_t *to)
{
    const uint32_t *size = r->b->machine->launch->block;
    uint32_t first = r->w->index * WARP_LANES;
    switch (special) {
    case SR_TID_X:
        EACH_LANE to[i] = first + (uint32_t)i;
        if (size[1] > 1 || size[2] > 1)
            EACH_LANE to[i] %= size[0];
        return true;
    case SR_TID_Y:
        EACH_LANE to[i] = (first + (uint32_t)i) / size[0] % size[1];
        return true;
    case SR_TID_Z:
        EACH_LANE to[i] = (first + (uint32_t)i) / size[0] / size[1];
        return true;
    case SR_LANEID: EACH_LANE to[i] = (uint32_t)i; return true;
    case SR_LANEMASK_EQ: EACH_LANE to[i] = 1u << i; return true;
    case SR_LANEMASK_LT: EACH_LANE to[i] = (1u << i) - 1; return true;
    case SR_LANEMASK_LE: EACH_LANE to[i] = (2u << i) - 1; return true;
    case SR_LANEMASK_GT: EACH_LANE to[i] = ~((2u << i) - 1); return true;
    case SR_LANEMASK_GE: EACH_LANE to[i] = ~((1u << i) - 1); return true;
    default: return false;
    }
}

static bool is_clock(enum ptx_special s)
{
    return s == SR_CLOCK || s == SR_CLOCK64 || s == SR_CLOCK_HI ||
           s == SR_GLOBALTIMER || s == SR_GLOBALTIMER_LO ||
           s == SR_GLOBALTIMER_HI;
}

static void do_special(struct run *r, const struct code_insn *in,
                       uint32_t active)
{
    _Alignas(64) uint32_t t[WARP_LANES];
    _Alignas(64) uint64_t wide[WARP_LANES];
    enum ptx_special special = in->insn->operand[1].special;
    if (is_clock(special))
        count_to(r, in->index); /* time passes with each instruction */
    if (!special_of_lanes(r, special, t)) {
        splat(r, in, special_of_warp(r, in), active);
    } else if (in->d_bytes == 8) {
        EACH_LANE wide[i] = t[i];
        merge8((lane_u64 *)(void *)(r->regs + in->d), wide, active);
    } else {
        merge4((lane_u32 *)(void *)(r->regs + in->d), t, active);
    }
}

/* What is constant lies in global memory too, as on a GPU. */
static bool lies_in(const struct machine *m, enum ptx_space space,
                    uint64_t address)
{
    bool shared = address - SHARED_WINDOW < WINDOW_BYTES;
    bool local = address - LOCAL_WINDOW < WINDOW_BYTES;
    const struct buffer *params = m->launch->module->params, *buf;
    switch (space) {
    case SPACE_SHARED: return shared;
    case SPACE_LOCAL: return local;
    case SPACE_PARAM: return address - params->address < params->bytes;
    case SPACE_CONST:
        buf = memory_find(m->memory, address);
        return buf && buf->role == BUFFER_CONSTANT;
    default: return !shared && !local;
    }
}

static void do_isspacep(struct run *r, const struct code_insn *in,
                        uint32_t active)
{
    const uint64_t *a = (const uint64_t *)(void *)place_of(in, r->regs, 0);
    uint32_t yes = 0;
    for (int i = 0; i < WARP_LANES; i++) {
        yes |= (uint32_t)lies_in(r->b->machine, in->insn->space, a[i]) << i;
    }
    set_predicate(r, in->d, yes, active);
}

/* Field k of n in a register of `bytes` bytes. */
static void do_pack(struct run *r, const struct code_insn *in, uint32_t active)
{
    _Alignas(64) uint64_t t[WARP_LANES];
    int bits = 8 * in->size / in->vector;
    for (int i = 0; i < WARP_LANES; i++) {
        uint64_t v = 0;
        for (int k = 0; k < in->vector; k++)
            v |= place_lane(&in->elements[k], r->regs, i) << (k * bits);
        if (in->d_bytes == 8)
            t[i] = v;
        else
            ((uint32_t *)t)[i] = (uint32_t)v;
    }
    merge(r->regs + in->d, t, active, in->d_bytes);
}

static void do_unpack(struct run *r, const struct code_insn *in,
                      uint32_t active)
{
    int bits = 8 * in->size / in->vector;
    uint64_t field = bits == 64 ? ~0ull : (1ull << bits) - 1;
    uint64_t whole[WARP_LANES];
    const uint8_t *a = place_of(in, r->regs, 0);
    for (int i = 0; i < WARP_LANES; i++)
        whole[i] = in->a_bytes == 8 ? ((const uint64_t *)(const void *)a)[i]
                                    : ((const uint32_t *)(const void *)a)[i];
    for (int k = 0; k < in->vector; k++) {
        const struct slot *p = &in->elements[k];
        if (p->sink)
            continue;
        _Alignas(64) uint64_t t[WARP_LANES];
        for (int i = 0; i < WARP_LANES; i++) {
            uint64_t v = whole[i] >> (k * bits) & field;
            if (p->bytes == 8)
                t[i] = v;
            else
                ((uint32_t *)t)[i] = (uint32_t)v;
        }
        merge(r->regs + p->at, t, active, p->bytes);
    }
}

/* ---- control flow ------------------------------------------------------------*/

/* A long loop is looked at now and then only: comparing registers costs. */
static inline bool watch_now(uint32_t loops)
{
    return loops < 512 || (loops & (loops - 1)) < 128;
}

/* The split went from `pc` to its new place: on, unless that was backwards
 * and its time is up or it spins. */
static enum next jumped(struct run *r, int pc)
{
    if (r->split->pc > pc)
        return NEXT_JUMP;
    r->loops++;
    if (r->loops >= r->w->patience && watch_now(r->loops) &&
        block_same_state(r->w, r->s))
        return NEXT_SPINS;
    return *r->slice > 0 ? NEXT_JUMP : NEXT_SLICE;
}

static enum next do_branch(struct run *r, const struct code_insn *in,
                           uint32_t taken)
{
    struct split *split = r->split;
    int pc = (int)(in - r->insns);
    split->pc = pc;
    count_until(r, in->index + 1,
                in->guard < 0 || in->synthetic ? ENDS_PLAIN
                : in->target > pc              ? ENDS_IN_BRANCH
                                               : ENDS_IN_LOOP,
                taken);
    if (in->synthetic) { /* around an instruction whose guard is false */
        if (event_wanted(r->b, EVENT_GUARD))
            tell_guard(r, in, EVENT_GUARD, r->mask & ~taken);
    } else if (in->guard >= 0 && event_wanted(r->b, EVENT_BRANCH)) {
        tell_guard(r, in, EVENT_BRANCH, taken);
    }
    if (taken == r->mask) {
        split->pc = in->target;
    } else if (!split_branch(r->w, r->s, taken, in->target, in->reconverge)) {
        return NEXT_CHANGED;
    }
    r->mask = split->mask;
    if (in->synthetic) /* what it jumps around is counted already */
        return NEXT_JUMP;
    r->counted = r->insns[split->pc].index;
    return jumped(r, pc);
}

static enum next do_branch_index(struct run *r, const struct code_insn *in)
{
    const uint32_t *a = (const uint32_t *)(void *)place_of(in, r->regs, 0);
    int pc = (int)(in - r->insns);
    count_to(r, in->index + 1);
    split_branch_index(r->w, r->s, a, in);
    r->mask = r->split->mask;
    r->counted = r->insns[r->split->pc].index;
    return jumped(r, pc);
}

static enum next do_join(struct run *r, const struct code_insn *in)
{
    struct split *split = r->split;
    int pc = (int)(in - r->insns);
    if (split->join < 0 || r->w->joins[split->join].pc != pc ||
        r->w->joins[split->join].frame != split->frame)
        return NEXT_ON;
    count_to(r, in->index);
    split->pc = pc;
    if (!split_arrive(r->w, r->s))
        return NEXT_CHANGED;
    r->mask = split->mask;
    return NEXT_ON;
}

static enum next do_exit(struct run *r, const struct code_insn *in,
                         uint32_t active)
{
    struct warp *w = r->w;
    count_to(r, in->index + 1);
    if (!active)
        return NEXT_ON;
    if (in->insn && event_wanted(r->b, EVENT_EXIT))
        tell_guard(r, in, EVENT_EXIT, active);
    r->split->pc = (int)(in - r->insns) + 1;
    for (struct frame *f = r->split->frame, *up; f; f = up) {
        up = f->caller;
        f->lanes &= ~active;
        if (!f->lanes)
            frame_release(r->b, f);
    }
    split_exit(w, r->s, active);
    r->b->live_threads -= (uint32_t)__builtin_popcount(active);
    sync_exited(w);
    barrier_check(r->b);
    return NEXT_CHANGED;
}

static enum next do_return(struct run *r, const struct code_insn *in,
                           uint32_t active)
{
    if (!r->split->frame->caller)
        return do_exit(r, in, active);
    count_to(r, in->index + 1);
    if (!active)
        return NEXT_ON;
    r->split->pc = (int)(in - r->insns) + 1;
    call_return(r->w, r->s, active);
    return NEXT_CHANGED;
}

static enum next do_trap(struct run *r, const struct code_insn *in)
{
    count_to(r, in->index + 1);
    if (event_wanted(r->b, EVENT_TRAP)) {
        struct event ev = {.kind = EVENT_TRAP,
                           .function = r->function,
                           .insn = in->insn,
                           .warp = r->w->index,
                           .active = r->mask,
                           .text = "trap"};
        event_send(r->b, &ev);
    }
    stop_note(r->b, STOP_TRAP, r->function, in->insn,
              "thread %u of block %llu executed a trap",
              r->w->index * WARP_LANES + (uint32_t)lane_first(r->mask),
              (unsigned long long)r->b->index);
    return NEXT_STOPPED;
}

/* The instruction is done when the block has its turn. */
static enum next wait_for_turn(struct run *r, const struct code_insn *in)
{
    r->split->pc = (int)(in - r->insns);
    r->split->told = in->guard >= 0;
    count_to(r, in->index);
    return NEXT_TURN;
}

/* Instructions after which another split may have to run first. */
static enum next do_meeting(struct run *r, const struct code_insn *in)
{
    bool may_grow = in->exec == X_CALL || in->exec == X_CALL_POINTER ||
                    in->exec == X_CALL_NATIVE;
    if (may_grow && block_holds_much(r->b))
        return wait_for_turn(r, in);
    r->split->pc = (int)(in - r->insns);
    count_to(r, in->index + 1);
    bool on;
    switch (in->exec) {
    case X_BARRIER:
        if (!barrier_number_good(r->w, r->s, in))
            return NEXT_STOPPED;
        on = barrier_arrive(r->w, r->s, in);
        return on ? NEXT_JUMP : NEXT_CHANGED;
    case X_CALL:
    case X_CALL_POINTER:
        if (!call_enter(r->w, r->s, in))
            return NEXT_STOPPED;
        return NEXT_CHANGED;
    case X_CALL_NATIVE:
        return call_native(r->w, r->split, in, r->mask) ? NEXT_ON
                                                        : NEXT_STOPPED;
    default: return sync_do(r->w, r->s, in) ? NEXT_ON : NEXT_CHANGED;
    }
}

static enum next do_access(struct run *r, const struct code_insn *in,
                           uint32_t active)
{
    if (!active || access_quick(r, in, active))
        return NEXT_ON;
    if (!access_memory(r->w, r->split, in, active))
        return wait_for_turn(r, in);
    if (r->b->refused < MOST_REFUSED)
        return NEXT_ON;
    count_to(r, in->index + 1);
    return NEXT_STOPPED;
}

static void tell_fence(struct run *r, const struct code_insn *in,
                       uint32_t active)
{
    if (active && event_wanted(r->b, EVENT_FENCE))
        tell_guard(r, in, EVENT_FENCE, active);
}

/* One instruction that is not in the loop's own short list. */
static enum next run_other(struct run *r, const struct code_insn *in,
                           uint32_t active)
{
    switch ((enum exec)in->exec) {
    case X_SET: do_set(r, in, active); return NEXT_ON;
    case X_CARRY: do_carry(r, in, active); return NEXT_ON;
    case X_LOGIC: do_logic(r, in, active); return NEXT_ON;
    case X_PACK: do_pack(r, in, active); return NEXT_ON;
    case X_UNPACK: do_unpack(r, in, active); return NEXT_ON;
    case X_SPECIAL: do_special(r, in, active); return NEXT_ON;
    case X_LOCAL_ADDRESS:
        splat(r, in, r->split->frame->local_base + (uint64_t)in->offset,
              active);
        return NEXT_ON;
    case X_ADD_WINDOW: do_add_window(r, in, active); return NEXT_ON;
    case X_ISSPACEP: do_isspacep(r, in, active); return NEXT_ON;
    case X_PARAM: do_param(r, in, active); return NEXT_ON;
    case X_PARAM_AREA: do_param_area(r, in, active); return NEXT_ON;
    case X_BRANCH_INDEX: return do_branch_index(r, in);
    case X_RET: return do_return(r, in, active);
    case X_EXIT: return do_exit(r, in, active);
    case X_TRAP: return active ? do_trap(r, in) : NEXT_ON;
    case X_ACTIVEMASK: splat(r, in, r->mask, active); return NEXT_ON;
    case X_FENCE: tell_fence(r, in, active); return NEXT_ON;
    case X_COPY_COMMIT: copies_commit(r->w, active); return NEXT_ON;
    case X_COPY_WAIT:
        copies_wait(r->w, active, in->from_offset);
        return NEXT_ON;
    case X_NOP: return NEXT_ON;
    case X_BARRIER:
    case X_CALL:
    case X_CALL_POINTER:
    case X_CALL_NATIVE:
    case X_WARP_SYNC:
    case X_SHUFFLE:
    case X_VOTE:
    case X_MATCH:
    case X_REDUX:
    case X_ELECT: return do_meeting(r, in);
    default: return do_access(r, in, active);
    }
}

static enum run_end run_ended(struct run *r, enum next next)
{
    tell_gathered(r);
    switch (next) {
    case NEXT_SPINS: return RUN_SPINS;
    case NEXT_SLICE: return RUN_SLICE;
    case NEXT_TURN: return RUN_NEEDS_TURN;
    case NEXT_STOPPED: return RUN_STOPPED;
    default: return RUN_CHANGED;
    }
}

enum run_end ALU_NAME(exec_run)(struct warp *w, int s, int64_t *slice)
{
    struct run run = {.w = w, .b = w->block, .s = s, .slice = slice};
    struct run *r = &run;
    run_load(r);
    const struct code_insn *in = r->insns + r->split->pc;
    r->counted = in->index;
    for (;; in++) {
        uint32_t active = r->mask;
        enum next next = NEXT_ON;
        if (in->guard >= 0) {
            active &= ((const uint32_t *)(void *)r->regs)[in->guard] ^
                      in->guard_invert;
            if (in->exec != X_BRANCH && event_wanted(r->b, EVENT_GUARD) &&
                !r->split->told)
                tell_guard(r, in, EVENT_GUARD, active);
            r->split->told = false;
        }
        switch ((enum exec)in->exec) {
        case X_VALUE: in = do_values(r, in, active); continue;
        case X_COMPARE: do_compare(r, in, active); continue;
        case X_SELP: do_select(r, in, active); continue;
        case X_MOV: do_move(r, in, active); continue;
        case X_LOAD_SHARED:
            if (active && load_shared(r, in, active))
                continue;
            next = do_access(r, in, active);
            break;
        case X_STORE_SHARED:
            if (active && store_shared(r, in, active))
                continue;
            next = do_access(r, in, active);
            break;
        case X_LOAD_GLOBAL:
            if (active && load_global(r, in, active))
                continue;
            next = do_access(r, in, active);
            break;
        case X_BRANCH: next = do_branch(r, in, active); break;
        case X_JOIN: next = do_join(r, in); break;
        default: next = run_other(r, in, active); break;
        }
        if (next == NEXT_ON)
            continue;
        if (next != NEXT_JUMP)
            return run_ended(r, next);
        in = r->insns + r->split->pc - 1;
    }
}
