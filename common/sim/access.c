/* Memory accesses, lane by lane and with every check, for whatever the fast
 * paths of exec_memory.h do not take.
 *
 * Watchers hear of an access before it happens; then memory itself refuses
 * the lanes whose address is bad: a refused load delivers garbage, a refused
 * store does nothing, and the launch goes on to its end. */
#include "sim/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lanes of one warp instruction that go to one space. */
struct group {
    struct warp *w;
    struct split *split;
    const struct code_insn *in;
    enum ptx_space space;
    uint32_t mask;
    uint32_t size; /* bytes a lane, vector whole */
    uint64_t address[WARP_LANES];
    uint8_t *host[WARP_LANES];
};

/* ---- where an address leads ------------------------------------------------*/

/* The space a generic address lies in, and the address inside it. */
static enum ptx_space resolve(enum ptx_space space, uint64_t *address)
{
    if (space == SPACE_PARAM && *address - PARAM_WINDOW < WINDOW_BYTES) {
        *address -= PARAM_WINDOW;
        return SPACE_PARAM;
    }
    if (space != SPACE_GENERIC)
        return space == SPACE_CONST || space == SPACE_PARAM ? SPACE_GLOBAL
                                                            : space;
    if (*address - SHARED_WINDOW < WINDOW_BYTES) {
        *address -= SHARED_WINDOW;
        return SPACE_SHARED;
    }
    if (*address - LOCAL_WINDOW < WINDOW_BYTES) {
        *address -= LOCAL_WINDOW;
        return SPACE_LOCAL;
    }
    return SPACE_GLOBAL;
}

static uint8_t *local_memory(struct block *b, uint32_t thread)
{
    size_t bytes = b->machine->image->local_bytes;
    if (!b->local) {
        size_t all = bytes * b->machine->info.threads_per_block;
        b->local = checked_alloc(all ? all : 1);
        garbage_fill(b->machine, GARBAGE_LOCAL, b->local, all);
    }
    return b->local + bytes * thread;
}

enum fault_kind access_fault(struct block *b, uint64_t address, uint32_t size,
                             bool write, uint8_t **host)
{
    struct buffer *buf = b->last_buffer;
    if (!buf || address - buf->address >= buf->bytes) {
        buf = memory_find(b->machine->memory, address);
        if (!buf)
            return FAULT_BOUNDS;
        b->last_buffer = buf;
    }
    uint64_t at = address - buf->address;
    if (buf->bytes - at < size || buf->freed)
        return FAULT_BOUNDS;
    if (address % size)
        return FAULT_MISALIGNED;
    if (write && buf->role != BUFFER_DATA)
        return FAULT_READ_ONLY;
    *host = buf->data + at;
    return FAULT_NONE;
}

/* A parameter of the running function: number and offset in one (machine.h,
 * PARAM_WINDOW). */
static enum fault_kind param_fault(const struct frame *f, int lane,
                                   uint64_t address, uint32_t size,
                                   uint8_t **host)
{
    uint64_t which = address / PARAM_STEP, at = address % PARAM_STEP;
    if (which >= (uint64_t)f->code->function->param_count)
        return FAULT_BOUNDS;
    const struct param_area *area = &f->code->params[which];
    if (at > area->bytes || area->bytes - at < size)
        return FAULT_BOUNDS;
    *host = f->regs + area->at + (size_t)lane * area->bytes + at;
    return FAULT_NONE;
}

/* Host address of one lane's access, or what is wrong with it. */
static enum fault_kind lane_fault(const struct group *g, int lane, bool write,
                                  uint8_t **host)
{
    struct block *b = g->w->block;
    uint64_t limit, address = g->address[lane];
    uint8_t *base;
    if (g->space == SPACE_GLOBAL)
        return access_fault(b, address, g->size, write, host);
    if (g->space == SPACE_PARAM)
        return param_fault(g->split->frame, lane, address, g->size, host);
    if (g->space == SPACE_SHARED) {
        limit = b->machine->info.shared_bytes;
        base = b->shared;
    } else {
        limit = b->machine->image->local_bytes;
        base = local_memory(b, g->w->index * WARP_LANES + (uint32_t)lane);
        if (write && address < limit && address + g->size > g->w->local_high)
            g->w->local_high = (uint32_t)address + g->size;
    }
    if (address > limit || limit - address < g->size)
        return FAULT_BOUNDS;
    if (address % g->size)
        return FAULT_MISALIGNED;
    *host = base + address;
    return FAULT_NONE;
}

void access_addresses(const struct split *split, const struct code_insn *in,
                      uint64_t *address)
{
    uint64_t plus = (uint64_t)in->offset;
    if (in->local_base)
        plus += split->frame->local_base;
    const uint8_t *a = place_of(in, split->frame->regs, 0);
    if (in->a_bytes == 8)
        for (int i = 0; i < WARP_LANES; i++)
            address[i] = ((const uint64_t *)a)[i] + plus;
    else
        for (int i = 0; i < WARP_LANES; i++)
            address[i] = (uint32_t)(((const uint32_t *)a)[i] + plus);
}

/* ---- telling ----------------------------------------------------------------*/

static void fault_text(const struct memory *memory, const struct event *ev,
                       int lane, char *to, size_t size)
{
    uint64_t address = ev->address[lane];
    char place[200];
    if (ev->space == SPACE_GLOBAL)
        memory_describe(memory, address, place, sizeof place);
    else
        snprintf(place, sizeof place, "byte %llu of %s memory",
                 (unsigned long long)address,
                 ev->space == SPACE_SHARED ? "shared" : "local");
    switch (ev->fault) {
    case FAULT_MISALIGNED:
        snprintf(to, size,
                 "%s, which is no multiple of the %u bytes it "
                 "moves at once",
                 place, ev->size);
        break;
    case FAULT_READ_ONLY:
        snprintf(to, size, "%s, which a kernel must not change", place);
        break;
    default: snprintf(to, size, "%s", place); break;
    }
}

static void note_faults(struct warp *w, const struct split *split,
                        const struct code_insn *in, const struct event *access,
                        const uint8_t *fault)
{
    for (enum fault_kind f = FAULT_BOUNDS; f <= FAULT_READ_ONLY; f++) {
        struct event ev = *access;
        ev.kind = EVENT_FAULT;
        ev.fault = f;
        ev.active = 0;
        for (uint32_t m = access->active; m; m &= m - 1)
            if (fault[lane_first(m)] == f)
                ev.active |= 1u << lane_first(m);
        if (!ev.active)
            continue;
        w->block->refused++;
        if (event_wanted(w->block, EVENT_FAULT))
            event_send(w->block, &ev);
        if (w->block->stop)
            continue; /* stop_note() keeps the first one; words take time */
        int lane = lane_first(ev.active);
        char text[300];
        fault_text(w->block->machine->memory, &ev, lane, text, sizeof text);
        stop_note(w->block, STOP_FAULT, split->frame->code->function, in->insn,
                  "thread %u of block %llu %s %s",
                  w->index * WARP_LANES + (uint32_t)lane,
                  (unsigned long long)w->block->index,
                  access->is_write ? "writes to" : "reads", text);
    }
}

void access_atomic(uint8_t *cell, uint32_t bytes, alu_atomic_fn *fn, uint64_t a,
                   uint64_t c, uint64_t *old_out, uint64_t *changes)
{
    uint64_t old = 0;
    memcpy(&old, cell, bytes);
    uint64_t value = fn(old, a, c);
    if (value != old)
        ++*changes;
    memcpy(cell, &value, bytes);
    *old_out = old;
}

/* ---- the accesses -----------------------------------------------------------*/

static void lane_load(const struct group *g, int lane, const uint8_t *from,
                      bool ok)
{
    const struct code_insn *in = g->in;
    uint8_t *regs = g->split->frame->regs;
    for (int k = 0; k < in->vector; k++) {
        const struct slot *p = &in->elements[k];
        uint64_t v = ok ? 0 : GARBAGE64;
        if (ok)
            memcpy(&v, from + (size_t)k * in->size, in->size);
        if (ok && in->is_signed) {
            int shift = 64 - 8 * in->size;
            v = (uint64_t)((int64_t)(v << shift) >> shift);
        }
        if (p->sink)
            continue;
        if (p->bytes == 8)
            ((uint64_t *)(regs + p->at))[lane] = v;
        else
            ((uint32_t *)(regs + p->at))[lane] =
                p->narrow ? (uint32_t)v & 0xffff : (uint32_t)v;
    }
}

static void lane_value(const struct group *g, int lane, uint8_t *to)
{
    const struct code_insn *in = g->in;
    uint8_t *regs = g->split->frame->regs;
    for (int k = 0; k < in->vector; k++) {
        const struct slot *p = &in->elements[k];
        const uint8_t *from =
            p->constant ? (const uint8_t *)p->at : regs + p->at;
        uint64_t v = p->bytes == 8 ? ((const uint64_t *)from)[lane]
                                   : ((const uint32_t *)from)[lane];
        memcpy(to + (size_t)k * in->size, &v, in->size);
    }
}

/* Atomics: lane of the operand k. */
static uint64_t source_lane(const struct group *g, int k, int lane)
{
    const uint8_t *from = place_of(g->in, g->split->frame->regs, k);
    return g->in->size == 8 ? ((const uint64_t *)from)[lane]
                            : ((const uint32_t *)from)[lane];
}

/* Global memory is another block's too: may this access be done apart? */
static bool must_wait(const struct group *g)
{
    const struct block *b = g->w->block;
    const struct code_insn *in = g->in;
    if (b->mode == MODE_TURN || g->space != SPACE_GLOBAL)
        return false;
    if (in->exec == X_ATOMIC) /* the log has no room for cas' two values */
        return in->answer || in->src[2] || block_holds_much(b);
    if (in->exec == X_STORE || in->exec == X_STORE_SHARED)
        return block_holds_much(b);
    return in->ordered || kept_overlaps(b, g->address, g->mask, g->size);
}

static uint32_t check_lanes(struct group *g, const struct event *access,
                            bool write)
{
    uint8_t fault[WARP_LANES];
    uint32_t good = 0, bad = 0;
    for (uint32_t m = g->mask; m; m &= m - 1) {
        int i = lane_first(m);
        fault[i] = (uint8_t)lane_fault(g, i, write, &g->host[i]);
        if (fault[i])
            bad |= 1u << i;
        else
            good |= 1u << i;
    }
    if (bad)
        note_faults(g->w, g->split, g->in, access, fault);
    return good;
}

static void do_loads(struct group *g, uint32_t good)
{
    for (uint32_t m = g->mask; m; m &= m - 1) {
        int i = lane_first(m);
        lane_load(g, i, g->host[i], good >> i & 1);
    }
}

static void do_stores(struct group *g, uint32_t good)
{
    struct block *b = g->w->block;
    uint8_t value[WARP_LANES * 32];
    bool global = g->space == SPACE_GLOBAL;
    if (!good)
        return;
    for (uint32_t m = good; m; m &= m - 1)
        lane_value(g, lane_first(m), value + (size_t)lane_first(m) * g->size);
    if (global && b->mode == MODE_APART) {
        kept_write(b, g->address, good, value, g->size, NULL);
        return;
    }
    uint64_t *changes = global ? &b->machine->changes : &b->changes;
    for (uint32_t m = good; m; m &= m - 1) {
        int i = lane_first(m);
        const uint8_t *v = value + (size_t)i * g->size;
        *changes += memcmp(g->host[i], v, g->size) != 0;
        memcpy(g->host[i], v, g->size);
    }
}

static void do_atomics(struct group *g, uint32_t good)
{
    struct block *b = g->w->block;
    const struct code_insn *in = g->in;
    bool global = g->space == SPACE_GLOBAL;
    if (global && b->mode == MODE_APART && good) {
        uint8_t value[WARP_LANES * 8];
        for (uint32_t m = good; m; m &= m - 1) {
            uint64_t v = source_lane(g, 1, lane_first(m));
            memcpy(value + (size_t)lane_first(m) * in->size, &v, in->size);
        }
        kept_write(b, g->address, good, value, in->size, in->atomic);
        return;
    }
    uint64_t *changes = global ? &b->machine->changes : &b->changes;
    for (uint32_t m = g->mask; m; m &= m - 1) {
        int i = lane_first(m);
        uint64_t old = GARBAGE64;
        if (good >> i & 1)
            access_atomic(g->host[i], in->size, in->atomic,
                          source_lane(g, 1, i),
                          in->src[2] ? source_lane(g, 2, i) : 0, &old, changes);
        if (!in->answer)
            continue;
        uint8_t *d = g->split->frame->regs + in->d;
        if (in->d_bytes == 8)
            ((uint64_t *)d)[i] = old;
        else
            ((uint32_t *)d)[i] = (uint32_t)old;
    }
}

static bool access_group(struct group *g)
{
    const struct code_insn *in = g->in;
    bool atomic = in->exec == X_ATOMIC;
    bool store = in->exec == X_STORE || in->exec == X_STORE_SHARED;
    if (must_wait(g))
        return false;
    struct event ev = {.kind = atomic  ? EVENT_ATOMIC
                               : store ? EVENT_STORE
                                       : EVENT_LOAD,
                       .function = g->split->frame->code->function,
                       .insn = in->insn,
                       .warp = g->w->index,
                       .active = g->mask,
                       .space = g->space,
                       .address = g->address,
                       .size = g->size,
                       .is_write = store || atomic,
                       .is_atomic = atomic};
    uint64_t value[2][WARP_LANES];
    if (event_wanted(g->w->block, ev.kind)) {
        if (atomic)
            ev.operand = place_of(in, g->split->frame->regs, 1);
        if (store && g->size <= sizeof value / WARP_LANES) {
            for (uint32_t m = g->mask; m; m &= m - 1) {
                uint64_t both[2] = {0};
                lane_value(g, lane_first(m), (uint8_t *)both);
                value[0][lane_first(m)] = both[0];
                value[1][lane_first(m)] = both[1];
            }
            ev.value = value[0];
            ev.value_high = g->size > 8 ? value[1] : NULL;
        }
        event_send(g->w->block, &ev);
    }
    if (atomic && g->space == SPACE_GLOBAL && g->w->block->mode == MODE_APART &&
        in->size >= 4 &&
        kept_red(g->w->block, in, place_of(in, g->split->frame->regs, 1),
                 g->address, g->mask))
        return true;
    uint32_t good = check_lanes(g, &ev, store || atomic);
    if (atomic)
        do_atomics(g, good);
    else if (store)
        do_stores(g, good);
    else
        do_loads(g, good);
    return true;
}

static struct event event_of(const struct group *g, enum event_kind kind)
{
    return (struct event){.kind = kind,
                          .function = g->split->frame->code->function,
                          .insn = g->in->insn,
                          .warp = g->w->index,
                          .active = g->mask,
                          .space = g->space,
                          .address = g->address,
                          .size = g->size,
                          .is_write = kind == EVENT_STORE};
}

static void tell(const struct group *g, struct event *ev, enum event_kind kind)
{
    *ev = event_of(g, kind);
    if (event_wanted(g->w->block, kind))
        event_send(g->w->block, ev);
}

/* Bytes that a lane's cp.async reads: all, as many as the fourth operand says
 * or, if that is a predicate, none where it is true. */
static uint32_t copy_bytes(const struct split *split,
                           const struct code_insn *in, int lane)
{
    uint8_t *regs = split->frame->regs;
    if (in->src[2]) {
        uint32_t n = ((const uint32_t *)place_of(in, regs, 2))[lane];
        return n < in->size ? n : in->size;
    }
    return predicate_of(&in->p, regs) >> lane & 1 ? 0 : in->size;
}

/* cp.async (9.7.9.25): a load now and a store later; what is not read becomes
 * 0, and a lane that reads nothing may have any source address. */
static bool access_copy(struct warp *w, struct split *split,
                        const struct code_insn *in, uint32_t active)
{
    struct group from = {.w = w,
                         .split = split,
                         .in = in,
                         .space = SPACE_GLOBAL,
                         .mask = active,
                         .size = in->size};
    struct group to = from;
    struct event ev;
    const uint64_t *a =
        (const uint64_t *)(void *)place_of(in, split->frame->regs, 1);
    uint32_t bytes[WARP_LANES], good = active;
    uint8_t data[WARP_LANES][16] = {{0}};
    from.mask = 0;
    for (uint32_t m = active; m; m &= m - 1) {
        int i = lane_first(m);
        from.address[i] = a[i] + (uint64_t)in->from_offset;
        bytes[i] = copy_bytes(split, in, i);
        from.mask |= (uint32_t)(bytes[i] != 0) << i;
    }
    if (w->block->mode == MODE_APART &&
        kept_overlaps(w->block, from.address, from.mask, from.size))
        return false;
    to.space = SPACE_SHARED;
    access_addresses(split, in, to.address);
    if (from.mask) {
        tell(&from, &ev, EVENT_LOAD);
        good &= check_lanes(&from, &ev, false) | ~from.mask;
    }
    ev = event_of(&to, EVENT_STORE);
    good &= check_lanes(&to, &ev, true);
    for (uint32_t m = good; m; m &= m - 1) {
        int i = lane_first(m);
        if (bytes[i])
            memcpy(data[i], from.host[i], bytes[i]);
    }
    if (good)
        copies_add(w, split->frame->code->function, in, good, to.address,
                   to.host, data);
    return true;
}

/* Generic addresses may lead to several spaces.  Global lanes come first, so
 * that nothing is done twice when they must wait for the block's turn. */
bool access_memory(struct warp *w, struct split *split,
                   const struct code_insn *in, uint32_t active)
{
    static const enum ptx_space spaces[] = {SPACE_GLOBAL, SPACE_SHARED,
                                            SPACE_LOCAL, SPACE_PARAM};
    uint64_t address[WARP_LANES];
    uint8_t space[WARP_LANES];
    if (in->exec == X_COPY_ASYNC)
        return access_copy(w, split, in, active);
    access_addresses(split, in, address);
    for (uint32_t m = active; m; m &= m - 1) {
        int i = lane_first(m);
        space[i] = (uint8_t)resolve(in->space, &address[i]);
    }
    for (int k = 0; k < 4; k++) {
        struct group g = {.w = w,
                          .split = split,
                          .in = in,
                          .space = spaces[k],
                          .size = (uint32_t)in->size * in->vector};
        for (uint32_t m = active; m; m &= m - 1)
            if (space[lane_first(m)] == spaces[k])
                g.mask |= 1u << lane_first(m);
        if (!g.mask)
            continue;
        memcpy(g.address, address, sizeof address);
        if (!access_group(&g))
            return false;
    }
    return true;
}
