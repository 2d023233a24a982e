/* Which words have been written.  See uninit.h. */
#include "watch/uninit.h"

#include "ptx/flow.h"
#include "watch/name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPARE = 16 }; /* bytes after a bitmap: bits are read 8 bytes at once */

struct uninit {
    struct teller base; /* first */
    uint32_t unit;      /* bytes of memory for a bit: 4 or 1 */
};

struct uninit_block {
    struct teller_block base; /* first */
    uint8_t *local;           /* bit (offset / unit) * threads + thread */
    size_t local_bytes;
    uint8_t shared[]; /* bit offset / unit */
};

/* ---- bits -------------------------------------------------------------------*/

/* The 32 bits from bit `at` on; a bitmap ends with SPARE bytes. */
static uint32_t bits_get(const uint8_t *map, uint64_t at)
{
    uint64_t bits;
    memcpy(&bits, map + at / 8, sizeof bits);
    return (uint32_t)(bits >> (at % 8));
}

static void bits_set(uint8_t *map, uint64_t at, uint32_t mask)
{
    uint64_t bits;
    memcpy(&bits, map + at / 8, sizeof bits);
    bits |= (uint64_t)mask << (at % 8);
    memcpy(map + at / 8, &bits, sizeof bits);
}

static uint32_t low_bits(uint32_t count)
{
    return count >= 32 ? 0xffffffffu : (1u << count) - 1;
}

/* ---- shared memory ------------------------------------------------------------*/

/* Lanes of the access that touch a word nobody wrote. */
static uint32_t shared_unwritten(const struct uninit *u,
                                 const struct uninit_block *b,
                                 const struct event *ev)
{
    uint32_t first = (uint32_t)__builtin_ctz(ev->active), lanes = 0;
    if (ev->is_row && ev->size == u->unit)
        return (ev->active >> first &
                ~bits_get(b->shared, ev->address[first] / u->unit))
               << first;
    uint32_t limit = u->base.info->shared_bytes;
    uint32_t want = low_bits((ev->size + u->unit - 1) / u->unit);
    for (uint32_t m = ev->active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        if (ev->address[i] > limit || limit - ev->address[i] < ev->size)
            continue; /* memory will refuse it */
        if (want & ~bits_get(b->shared, ev->address[i] / u->unit))
            lanes |= 1u << i;
    }
    return lanes;
}

static void shared_write(const struct uninit *u, struct uninit_block *b,
                         const struct event *ev)
{
    uint32_t first = (uint32_t)__builtin_ctz(ev->active);
    if (ev->is_row && ev->size == u->unit) {
        bits_set(b->shared, ev->address[first] / u->unit, ev->active >> first);
        return;
    }
    uint32_t limit = u->base.info->shared_bytes;
    uint32_t mask = low_bits((ev->size + u->unit - 1) / u->unit);
    for (uint32_t m = ev->active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        if (ev->address[i] <= limit && limit - ev->address[i] >= ev->size)
            bits_set(b->shared, ev->address[i] / u->unit, mask);
    }
}

/* ---- local memory -------------------------------------------------------------*/

enum { LOCAL_MAX = 1 << 20 }; /* bytes of a thread that we keep bits for */

static void local_grow(struct uninit_block *b, uint64_t bits)
{
    size_t size = bits / 8 + SPARE;
    if (size <= b->local_bytes)
        return;
    b->local = checked_realloc(b->local, 2 * size);
    memset(b->local + b->local_bytes, 0, 2 * size - b->local_bytes);
    b->local_bytes = 2 * size;
}

/* Marks (is_write) or returns the lanes that read what is not marked. */
static uint32_t local_access(const struct uninit *u, struct uninit_block *b,
                             const struct event *ev, bool is_write)
{
    uint32_t threads = u->base.info->threads_per_block, lanes = 0;
    uint64_t units = (ev->size + u->unit - 1) / u->unit;
    for (uint32_t m = ev->active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        if (ev->address[i] > LOCAL_MAX)
            continue;
        uint64_t thread = ev->warp * WARP_LANES + (uint32_t)i;
        uint64_t from = ev->address[i] / u->unit;
        local_grow(b, (from + units) * threads);
        for (uint64_t k = from; k < from + units; k++) {
            uint64_t bit = k * threads + thread;
            if (is_write)
                bits_set(b->local, bit, 1);
            else if (!(bits_get(b->local, bit) & 1))
                lanes |= 1u << i;
        }
    }
    return lanes;
}

/* ---- events -------------------------------------------------------------------*/

static const char *hint(const struct launch_info *info, bool is_shared)
{
    if (!is_shared)
        return "a local array begins with garbage: give every element a value "
               "first";
    for (int f = 0; f < info->function_count; f++)
        for (int i = 0; i < info->functions[f]->insn_count; i++)
            if (info->functions[f]->insns[i].op == OP_CP_ASYNC)
                return "if a cp.async should have: it arrives when its own "
                       "thread has waited for it (cp.async.wait_group, or the "
                       "wait of a pipeline), and others see it after a "
                       "__syncthreads() behind that wait";
    return "shared memory begins with garbage, often what an earlier block "
           "left: every word needs a value first, such as 0 where there is no "
           "element";
}

static void say(struct uninit *u, struct uninit_block *b,
                const struct event *ev, uint32_t lanes)
{
    bool is_shared = ev->space == SPACE_SHARED;
    struct finding f = teller_place("uninitialized", ev, NULL);
    f.space = is_shared ? "shared" : "local";
    f.depends_on = is_shared ? GARBAGE_SHARED : GARBAGE_LOCAL;
    if (teller_again(&b->base, &f, (uint64_t)__builtin_popcount(lanes)))
        return;
    char who[80], place[160];
    uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    name_thread(u->base.info, ev->warp * WARP_LANES + lane, who, sizeof who);
    name_place(u->base.info, ev->space, ev->address[lane], place, sizeof place);
    teller_say(&b->base, &f, (uint64_t)__builtin_popcount(lanes),
               hint(u->base.info, is_shared),
               "%s reads %s, which %s has written, and the result depends on "
               "it (block %llu)",
               who, place,
               is_shared ? "no thread of the block" : "the thread never",
               (unsigned long long)b->base.block);
}

/* The element that the lane reads, if it is one that no thread of the block
 * would have for its own; else -1. */
static int64_t beyond_the_block(const struct launch_info *info,
                                uint64_t address)
{
    for (int i = 0; i < info->shared_count; i++) {
        const struct shared_variable *v = &info->shared[i];
        uint64_t bytes =
            v->variable->is_extern ? info->shared_bytes - v->at : v->bytes;
        if (address < v->at || address - v->at >= bytes)
            continue;
        uint64_t element = (address - v->at) / v->element;
        return element >= info->threads_per_block ? (int64_t)element : -1;
    }
    return -1;
}

/* Garbage that does no harm is still no plan: the index runs on past the words
 * of the last thread. */
static void warn_beyond(struct uninit *u, struct uninit_block *b,
                        const struct event *ev, uint32_t lanes)
{
    const struct launch_info *info = u->base.info;
    char who[80], place[160];
    uint32_t lane = (uint32_t)__builtin_ctz(lanes);
    struct finding f = teller_place("suspicious", ev, NULL);
    if (ev->space != SPACE_SHARED ||
        beyond_the_block(info, ev->address[lane]) < 0)
        return;
    f.severity = SEVERITY_WARNING;
    f.space = "shared";
    f.depends_on = GARBAGE_SHARED;
    f.if_harmless = true;
    if (teller_again(&b->base, &f, (uint64_t)__builtin_popcount(lanes)))
        return;
    name_thread(info, ev->warp * WARP_LANES + lane, who, sizeof who);
    name_place(info, ev->space, ev->address[lane], place, sizeof place);
    teller_say(&b->base, &f, (uint64_t)__builtin_popcount(lanes),
               "let only the threads read whose partner exists, such as "
               "`if (tid < stride)`",
               "%s reads %s, which nobody has written: the block has %u "
               "threads. Nothing depends on it this time (block %llu)",
               who, place, info->threads_per_block,
               (unsigned long long)b->base.block);
}

static void on_event(struct watcher *watcher, void *state,
                     const struct event *ev)
{
    struct uninit *u = (struct uninit *)watcher;
    struct uninit_block *b = state;
    uint32_t unwritten = 0;
    if (ev->space == SPACE_SHARED) {
        if (ev->kind != EVENT_STORE)
            unwritten = shared_unwritten(u, b, ev);
        if (ev->kind != EVENT_LOAD)
            shared_write(u, b, ev);
    } else if (ev->space == SPACE_LOCAL) {
        if (ev->kind != EVENT_STORE)
            unwritten = local_access(u, b, ev, false);
        if (ev->kind != EVENT_LOAD)
            local_access(u, b, ev, true);
    }
    if (unwritten) {
        say(u, b, ev, unwritten);
        warn_beyond(u, b, ev, unwritten);
    }
}

static void closing(struct teller *t, struct teller_block *base)
{
    struct uninit_block *b = (struct uninit_block *)base;
    (void)t;
    free(b->local);
    b->local = NULL;
    b->local_bytes = 0;
}

/* ---- registers ------------------------------------------------------------------*/

static void say_register(struct uninit *u, const struct ptx_function *function,
                         const struct ptx_insn *insn)
{
    struct event ev = {.function = function, .insn = insn};
    struct finding f = teller_place("uninitialized", &ev, NULL);
    f.depends_on = GARBAGE_REGISTERS;
    f.count = 1;
    f.message = "a variable is used here that was not given a value on every "
                "way to this line, and the result depends on it";
    f.hint = "give the variable a value where it is declared";
    finding_add(u->base.findings, &f);
}

static void find_registers(struct uninit *u)
{
    const struct launch_info *info = u->base.info;
    for (int k = 0; k < info->function_count; k++) {
        const struct ptx_function *f = info->functions[k];
        struct arena arena = {0};
        struct ptx_usage usage = ptx_register_usage(&arena, f);
        for (int i = 0; i < usage.unset_count; i++)
            say_register(u, f, &f->insns[usage.unset[i].insn]);
        arena_free(&arena);
    }
}

/* ---- begin and end --------------------------------------------------------------*/

static bool is_narrow(const struct ptx_insn *insn)
{
    switch (insn->op) {
    case OP_LD:
    case OP_LDU:
    case OP_ST:
    case OP_ATOM:
    case OP_RED:
        return insn->space != SPACE_PARAM && insn->space != SPACE_CONST &&
               ptx_type_bytes(insn->type) < 4;
    default: return false;
    }
}

static void begin(struct watcher *watcher, const struct launch_info *info)
{
    struct uninit *u = (struct uninit *)watcher;
    teller_begin(watcher, info);
    u->unit = 4;
    for (int k = 0; k < info->function_count; k++)
        for (int i = 0; i < info->functions[k]->insn_count; i++)
            if (is_narrow(&info->functions[k]->insns[i]))
                u->unit = 1;
    u->base.block_bytes =
        sizeof(struct uninit_block) + info->shared_bytes / u->unit / 8 + SPARE;
}

static void end(struct watcher *watcher)
{
    find_registers((struct uninit *)watcher);
    teller_end(watcher);
}

struct watcher *uninit_watcher(struct finding_list *list)
{
    struct uninit *u =
        teller_new(sizeof *u, sizeof(struct uninit_block), "uninitialized",
                   WANTS(EVENT_LOAD) | WANTS(EVENT_STORE) | WANTS(EVENT_ATOMIC),
                   on_event, list);
    u->base.closing = closing;
    u->base.watcher.begin = begin;
    u->base.watcher.end = end;
    return &u->base.watcher;
}
