/* Shared memory: what each word saw last, and whether the next access is
 * ordered after it.
 *
 * Nearly every access of a good kernel is by 32 lanes to 32 words in a row
 * and conflicts with nothing: row_* look at all lanes at once.  What they
 * cannot clear is looked at lane by lane (lane_quick), and what that cannot
 * clear, or what the slots of a word have no room for, with the sets of
 * race_past.h (cell_access). */
#include "watch/race.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define FOR_EVERY_CPU \
    __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define FOR_EVERY_CPU
#endif

enum {
    MARGIN = WARP_LANES, /* cells on both sides of the arrays */
    ALL_BYTES = 15,
    /* In who[]: thread 0..9, bytes 10..13, traits 14..15, instruction. */
    WHO_THREAD = 1023,
    WHO_BYTES_AT = 10,
    WHO_TRAITS_AT = 14,
    WHO_INSN_AT = 16,
};
#define CELL_HAS_SETS UINT32_MAX
#define WHO_TRAITS ((uint32_t)TRAITS << WHO_TRAITS_AT)

struct cell_sets {
    uint32_t cell, next_free;
    bool is_used;
    struct past_set set[PAST_KINDS];
};

void cells_alloc(struct cells *c, uint32_t bytes)
{
    c->count = (bytes + 3) / 4 + 1;
    size_t n = c->count + 2 * MARGIN;
    uint32_t *at = checked_alloc(n * (2 * SLOTS + 1) * sizeof *at);
    c->arrays = at;
    at += MARGIN;
    for (int s = 0; s < SLOTS; s++) {
        c->time[s] = at + n * (size_t)(2 * s);
        c->who[s] = at + n * (size_t)(2 * s + 1);
    }
    c->value = at + n * 2 * SLOTS;
    c->free_set = UINT32_MAX;
}

static void release_sets(struct cells *c, uint32_t at)
{
    struct cell_sets *sets = &c->sets[at];
    for (int k = 0; k < PAST_KINDS; k++)
        past_free(&sets->set[k]);
    for (int s = 0; s < SLOTS; s++)
        c->time[s][sets->cell] = 0;
    sets->is_used = false;
    sets->next_free = c->free_set;
    c->free_set = at;
}

void cells_begin(struct cells *c)
{
    for (uint32_t k = 0; k < c->set_count; k++)
        if (c->sets[k].is_used)
            release_sets(c, k);
    c->set_count = 0;
    c->free_set = UINT32_MAX;
    c->has_second_reads = c->has_atomics = false;
}

void cells_clear(struct cells *c)
{
    cells_begin(c);
    for (int s = 0; s < SLOTS; s++)
        memset(c->time[s], 0, c->count * sizeof *c->time[s]);
}

void cells_free(struct cells *c)
{
    cells_begin(c);
    free(c->sets);
    free(c->arrays);
}

/* ---- whole rows -------------------------------------------------------------------*/

/* What the row functions need to know of the access. */
struct row {
    int64_t cell; /* of lane 0; may lie in the margin */
    uint32_t active;
    uint32_t low, own; /* known of all warps, of the own warp */
    uint32_t now, who; /* of lane 0 */
    uint32_t settled;
};

/* All ones if lane i is active: what lane loops need to become vector code. */
static inline uint32_t lane_mask(uint32_t active, uint32_t i)
{
    return 0u - (active >> i & 1);
}

/* Every access remembered in the slot is known of all warps. */
FOR_EVERY_CPU static bool row_is_old(const uint32_t *time, const struct row *r)
{
    uint32_t last = 0, active = r->active;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint32_t t = time[i] & lane_mask(active, i);
        last = last < t ? t : last;
    }
    return last <= r->low;
}

/* Every access remembered in the slot is ordered before this one, and if it
 * is replaced nothing is lost. */
FOR_EVERY_CPU static bool row_is_clear(const uint32_t *time,
                                       const uint32_t *who, bool replaced,
                                       const struct row *r)
{
    uint32_t bad = 0, first = r->who & WHO_THREAD, active = r->active;
    uint32_t traits = replaced ? WHO_TRAITS : 0, own_who = r->who;
    uint32_t low = r->low, own = r->own, settled = r->settled;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint32_t t = time[i], w = who[i], thread = w & WHO_THREAD;
        uint32_t known = (thread ^ first) < WARP_LANES ? own : low;
        known = thread == first + i ? CELL_HAS_SETS - 1 : known;
        uint32_t is_late = t > known ? UINT32_MAX : 0;
        uint32_t differs = (w ^ own_who) & traits ? UINT32_MAX : 0;
        uint32_t is_lost = t > settled ? differs : 0;
        bad |= (is_late | is_lost) & lane_mask(active, i);
    }
    return !bad;
}

static bool row_clear(const struct cells *c, enum slot s, bool replaced,
                      const struct row *r)
{
    const uint32_t *time = c->time[s] + r->cell;
    return ((!replaced || r->low <= r->settled) && row_is_old(time, r)) ||
           row_is_clear(time, c->who[s] + r->cell, replaced, r);
}

FOR_EVERY_CPU static void row_set(uint32_t *restrict time,
                                  uint32_t *restrict who, const struct row *r)
{
    uint32_t now = r->now, first = r->who, active = r->active;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint32_t on = lane_mask(active, i);
        time[i] = on ? now : time[i];
        who[i] = on ? first + i : who[i];
    }
}

/* The readers remembered so far move to the second slot where they matter. */
FOR_EVERY_CPU static void row_shift(const uint32_t *time, const uint32_t *who,
                                    uint32_t *to_time, uint32_t *to_who,
                                    const struct row *r)
{
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        bool move = (r->active >> i & 1) & (time[i] > r->settled) &
                    (((who[i] ^ (r->who + i)) & WHO_THREAD) != 0);
        to_time[i] = move ? time[i] : to_time[i];
        to_who[i] = move ? who[i] : to_who[i];
    }
}

FOR_EVERY_CPU static void row_values(uint32_t *to, const uint64_t *value,
                                     const struct row *r)
{
    for (uint32_t i = 0; i < WARP_LANES; i++)
        to[i] = (r->active >> i & 1) ? (uint32_t)value[i] : to[i];
}

static uint32_t who_of(uint32_t thread, uint32_t bytes, uint32_t traits,
                       uint32_t insn)
{
    return thread | bytes << WHO_BYTES_AT | (traits & TRAITS) << WHO_TRAITS_AT |
           insn << WHO_INSN_AT;
}

static bool make_row(const struct race_block *b, const struct event *ev,
                     uint32_t insn, struct row *r)
{
    const struct warp_clock *w = &b->clocks.warp[ev->warp];
    uint64_t first = (uint64_t)__builtin_ctz(ev->active);
    uint64_t address = ev->address[first];
    uint32_t traits = b->race->facts[insn].traits;
    if (!ev->is_row || ev->size != 4 || ev->kind == EVENT_ATOMIC ||
        (traits & TRAIT_FLAG) || (address & 3))
        return false;
    uint64_t last = address / 4 + 31 - (uint64_t)__builtin_clz(ev->active);
    if (last - first >= b->cells.count)
        return false;
    *r = (struct row){
        .cell = (int64_t)(address / 4) - (int64_t)first,
        .active = ev->active,
        .low = w->low,
        .own = w->seen[ev->warp],
        .now = b->clocks.now,
        .who = who_of(ev->warp * WARP_LANES, ALL_BYTES, traits, insn),
        .settled = b->clocks.settled};
    return true;
}

static bool row_load(struct cells *c, const struct row *r)
{
    uint32_t *time = c->time[SLOT_READ] + r->cell;
    uint32_t *who = c->who[SLOT_READ] + r->cell;
    if (!row_clear(c, SLOT_READ, true, r)) {
        if (!row_clear(c, SLOT_SECOND_READ, true, r))
            return false;
        c->has_second_reads = true;
        row_shift(time, who, c->time[SLOT_SECOND_READ] + r->cell,
                  c->who[SLOT_SECOND_READ] + r->cell, r);
    }
    row_set(time, who, r);
    return true;
}

/* True if the access was cleared and noted as a whole. */
static bool row_access(struct race_block *b, const struct event *ev,
                       uint32_t insn)
{
    struct row r;
    struct cells *c = &b->cells;
    bool is_load = ev->kind == EVENT_LOAD;
    if (!make_row(b, ev, insn, &r) || !row_clear(c, SLOT_WRITE, !is_load, &r) ||
        (c->has_atomics && !row_clear(c, SLOT_ATOMIC, false, &r)))
        return false;
    if (is_load)
        return row_load(c, &r);
    if (!row_clear(c, SLOT_READ, false, &r) ||
        (c->has_second_reads && !row_clear(c, SLOT_SECOND_READ, false, &r)))
        return false;
    row_set(c->time[SLOT_WRITE] + r.cell, c->who[SLOT_WRITE] + r.cell, &r);
    if (ev->value)
        row_values(c->value + r.cell, ev->value, &r);
    return true;
}

/* ---- one lane, one word -----------------------------------------------------------*/

/* As the row functions. */
static bool cell_clear(const struct race_block *b, enum slot s, uint32_t cell,
                       uint32_t who, bool replaced)
{
    const struct warp_clock *w =
        &b->clocks.warp[(who & WHO_THREAD) / WARP_LANES];
    uint32_t t = b->cells.time[s][cell], old = b->cells.who[s][cell];
    bool fine =
        t <= w->low || !((old ^ who) & WHO_THREAD) ||
        ((old & WHO_THREAD) / WARP_LANES == (who & WHO_THREAD) / WARP_LANES &&
         t <= w->seen[(who & WHO_THREAD) / WARP_LANES]);
    if (!fine || t == CELL_HAS_SETS)
        return false;
    uint32_t lost = (old & ~who) >> WHO_BYTES_AT & ALL_BYTES;
    return !replaced || t <= b->clocks.settled ||
           (!((old ^ who) & WHO_TRAITS) && !lost);
}

static void cell_set(struct cells *c, enum slot s, uint32_t cell, uint32_t time,
                     uint32_t who)
{
    c->time[s][cell] = time;
    c->who[s][cell] = who;
}

/* A plain access that is ordered after all that the word remembers. */
static bool cell_quick(struct race_block *b, uint32_t cell, uint32_t who,
                       bool is_load, uint32_t value)
{
    struct cells *c = &b->cells;
    if (!cell_clear(b, SLOT_WRITE, cell, who, !is_load) ||
        (c->has_atomics && !cell_clear(b, SLOT_ATOMIC, cell, who, false)))
        return false;
    if (!is_load) {
        if (!cell_clear(b, SLOT_READ, cell, who, false) ||
            !cell_clear(b, SLOT_SECOND_READ, cell, who, false))
            return false;
        cell_set(c, SLOT_WRITE, cell, b->clocks.now, who);
        c->value[cell] = value;
        return true;
    }
    if (!cell_clear(b, SLOT_READ, cell, who, true)) {
        if (!cell_clear(b, SLOT_SECOND_READ, cell, who, true))
            return false;
        c->has_second_reads = true;
        cell_set(c, SLOT_SECOND_READ, cell, c->time[SLOT_READ][cell],
                 c->who[SLOT_READ][cell]);
    }
    cell_set(c, SLOT_READ, cell, b->clocks.now, who);
    return true;
}

/* ---- sets -----------------------------------------------------------------------------*/

static struct past past_of_slot(const struct race_block *b, enum slot s,
                                uint32_t cell)
{
    uint32_t who = b->cells.who[s][cell];
    const struct race_fact *fact = &b->race->facts[who >> WHO_INSN_AT];
    return (struct past){.block = (uint32_t)b->block,
                         .time = b->cells.time[s][cell],
                         .lanes = 1u << (who & 31),
                         .value = s == SLOT_WRITE ? b->cells.value[cell] : 0,
                         .insn = who >> WHO_INSN_AT,
                         .warp = (uint8_t)((who & WHO_THREAD) / WARP_LANES),
                         .bytes = who >> WHO_BYTES_AT & ALL_BYTES,
                         .traits = who >> WHO_TRAITS_AT & TRAITS,
                         .has_value = s == SLOT_WRITE && fact->has_value,
                         .is_store = s == SLOT_ATOMIC && fact->is_store};
}

static uint32_t take_sets(struct cells *c, uint32_t cell)
{
    uint32_t at = c->free_set;
    if (at != UINT32_MAX) {
        c->free_set = c->sets[at].next_free;
    } else {
        if (c->set_count == c->set_capacity) {
            c->set_capacity = 2 * c->set_capacity + 16;
            c->sets =
                checked_realloc(c->sets, c->set_capacity * sizeof *c->sets);
        }
        at = c->set_count++;
    }
    c->sets[at] = (struct cell_sets){.cell = cell, .is_used = true};
    return at;
}

/* The sets of a cell, made from its slots if it has none. */
static struct cell_sets *open_sets(struct race_block *b, uint32_t cell)
{
    static const enum past_kind kinds[SLOTS] = {PAST_WRITE, PAST_READ,
                                                PAST_READ, PAST_ATOMIC};
    struct cells *c = &b->cells;
    if (c->time[SLOT_WRITE][cell] == CELL_HAS_SETS)
        return &c->sets[c->who[SLOT_WRITE][cell]];
    uint32_t at = take_sets(c, cell);
    for (int s = SLOTS - 1; s >= 0; s--) {
        if (c->time[s][cell] > b->clocks.settled) {
            struct past p = past_of_slot(b, (enum slot)s, cell);
            past_push(&c->sets[at].set[kinds[s]], &p);
        }
        c->time[s][cell] = CELL_HAS_SETS;
    }
    c->who[SLOT_WRITE][cell] = at;
    return &c->sets[at];
}

static bool fits_slots(struct past_set *s, uint32_t room)
{
    bool fits = s->count <= room;
    for (uint32_t k = 0; fits && k < s->count; k++)
        fits = (past_items(s)[k].lanes & (past_items(s)[k].lanes - 1)) == 0;
    return fits;
}

static void slot_from(struct cells *c, enum slot s, uint32_t cell,
                      const struct past *p)
{
    uint32_t thread =
        (uint32_t)p->warp * WARP_LANES + (uint32_t)__builtin_ctz(p->lanes);
    cell_set(c, s, cell, p->time, who_of(thread, p->bytes, p->traits, p->insn));
    if (s == SLOT_WRITE)
        c->value[cell] = p->value;
    c->has_second_reads |= s == SLOT_SECOND_READ;
}

/* Back to the slots if they have room for what is in the sets. */
static void close_sets(struct race_block *b, uint32_t cell)
{
    struct cells *c = &b->cells;
    uint32_t at = c->who[SLOT_WRITE][cell];
    struct past_set *set = c->sets[at].set;
    for (int k = 0; k < PAST_KINDS; k++) {
        past_settle(&set[k], b->clocks.settled);
        if (!fits_slots(&set[k], k == PAST_READ ? 2 : 1))
            return;
    }
    struct past_set held[PAST_KINDS];
    memcpy(held, set, sizeof held);
    memset(set, 0, sizeof held);
    release_sets(c, at);
    static const enum slot slots[PAST_KINDS] = {SLOT_WRITE, SLOT_READ,
                                                SLOT_ATOMIC};
    for (int k = 0; k < PAST_KINDS; k++) {
        for (uint32_t i = 0; i < held[k].count; i++)
            slot_from(c, (enum slot)(slots[k] + i), cell,
                      &past_items(&held[k])[i]);
        past_free(&held[k]);
    }
}

static bool find_race(struct race_block *b, const struct event *ev,
                      const struct now *now, struct cell_sets *sets)
{
    const struct past *p = &now->past;
    for (enum past_kind kind = 0; kind < PAST_KINDS; kind++) {
        struct past_set *s = &sets->set[kind];
        for (uint32_t k = s->count; k-- > 0;) {
            const struct past *old = &past_items(s)[k];
            uint32_t other = 0, lane = 0;
            if (!past_conflicts(now, kind, old) ||
                (kind == PAST_WRITE && now->role == ROLE_WRITE &&
                 past_agrees(old, p)) ||
                !past_pair(now, old, &other, &lane))
                continue;
            struct race_report report = {
                .insn = p->insn,
                .other = old->insn,
                .space = SPACE_SHARED,
                .address = (uint64_t)sets->cell * 4 +
                           (uint64_t)__builtin_ctz(old->bytes & p->bytes),
                .thread = ev->warp * WARP_LANES + lane,
                .other_thread = (uint32_t)old->warp * WARP_LANES + other,
                .block = b->block,
                .other_block = b->block,
                .other_kind = kind,
                .is_write = ev->is_write,
                .is_atomic = ev->is_atomic,
                .same_insn = old->time == p->time};
            race_tell(b, &report);
            return true; /* one finding an access is enough */
        }
    }
    return false;
}

/* Lanes that do the same to one word. */
static void cell_access(struct race_block *b, const struct event *ev,
                        struct now *now, uint32_t cell)
{
    struct cells *c = &b->cells;
    const struct race_fact *fact = &b->race->facts[now->past.insn];
    bool learns = now->role == ROLE_FLAG_READ ||
                  (ev->kind == EVENT_ATOMIC && fact->insn->op == OP_ATOM);
    uint32_t lanes = now->past.lanes;
    if (learns)
        clocks_learn(&b->clocks, cell, ev->warp, lanes, fact->acquires);
    struct view view = clocks_view(&b->clocks, ev->warp);
    now->view = &view;
    struct cell_sets *sets = open_sets(b, cell);
    find_race(b, ev, now, sets);
    if (now->role == ROLE_ATOMIC) {
        c->has_atomics = true;
        clocks_publish(&b->clocks, cell, ev->warp, lanes, fact->releases);
    }
    past_add(&sets->set[past_kind_of(now->role)], now);
    now->view = NULL;
    close_sets(b, cell);
}

/* ---- lanes --------------------------------------------------------------------------*/

/* What an access stores in the bytes `bytes` of a word, `at` bytes from its
 * first one. */
static uint32_t part_value(const struct event *ev, int lane, uint32_t bytes,
                           uint32_t at)
{
    if (!ev->value)
        return 0;
    uint64_t value = at < 8 ? ev->value[lane] : ev->value_high[lane];
    uint32_t first = (uint32_t)__builtin_ctz(bytes);
    if (ev->size < 4)
        value &= (1ull << 8 * ev->size) - 1;
    return (uint32_t)(value >> 8 * (at & 7)) << 8 * first;
}

/* Of the lanes with the first one's address those with its value, too. */
static uint32_t same_lanes(const struct event *ev, uint32_t lanes)
{
    int first = __builtin_ctz(lanes);
    uint32_t same = 0;
    for (uint32_t m = lanes; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        bool is_same =
            ev->address[i] == ev->address[first] &&
            (!ev->value || ev->value[i] == ev->value[first]) &&
            (!ev->value_high || ev->value_high[i] == ev->value_high[first]);
        same |= (uint32_t)is_same << i;
    }
    return ev->kind == EVENT_STORE && !ev->value ? lanes & -lanes : same;
}

static bool is_fenced(const struct race_block *b, const struct event *ev,
                      uint32_t lanes)
{
    const struct warp_clock *w = &b->clocks.warp[ev->warp];
    bool any = false;
    if (!w->has_lanes)
        return false;
    for (uint32_t m = lanes; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        any |= w->lanes->own[CLOCK_FENCED_BLOCK][i] ||
               w->lanes->clock[CLOCK_FENCED_BLOCK][i];
    }
    return any;
}

/* Lanes with one address: each word of it. */
static void lanes_access(struct race_block *b, const struct event *ev,
                         uint32_t insn, uint32_t lanes)
{
    const struct race_fact *fact = &b->race->facts[insn];
    int lane = __builtin_ctz(lanes);
    uint64_t address = ev->address[lane];
    uint32_t size = ev->size < 4 ? ev->size : 4;
    uint32_t bytes = ((1u << size) - 1) << (address & 3);
    struct now now = {.role =
                          race_role(fact, ev->kind, is_fenced(b, ev, lanes)),
                      .settled = b->clocks.settled};
    for (uint32_t at = 0; at < ev->size; at += 4) {
        uint64_t cell = (address + at) / 4;
        if (cell >= b->cells.count)
            return;
        now.past = (struct past){
            .block = (uint32_t)b->block,
            .time = b->clocks.now,
            .lanes = lanes,
            .value = part_value(ev, lane, bytes, at),
            .insn = insn,
            .warp = (uint8_t)ev->warp,
            .bytes = (uint8_t)bytes,
            .traits = fact->traits & TRAITS,
            .has_value = ev->value && ev->kind == EVENT_STORE,
            .is_store = now.role == ROLE_ATOMIC && fact->is_store};
        if (now.role != ROLE_WRITE && now.role != ROLE_ATOMIC)
            now.past.value = 0;
        cell_access(b, ev, &now, (uint32_t)cell);
    }
}

/* One lane, unless it is more than the slots hold. */
static bool lane_quick(struct race_block *b, const struct event *ev,
                       uint32_t insn, int lane)
{
    uint64_t address = ev->address[lane];
    uint32_t traits = b->race->facts[insn].traits;
    uint32_t size = ev->size < 4 ? ev->size : 4;
    uint32_t bytes = ((1u << size) - 1) << (address & 3);
    uint32_t who =
        who_of(ev->warp * WARP_LANES + (uint32_t)lane, bytes, traits, insn);
    for (uint32_t at = 0; at < ev->size; at += 4) {
        uint64_t cell = (address + at) / 4;
        if (cell < b->cells.count &&
            !cell_quick(b, (uint32_t)cell, who, ev->kind == EVENT_LOAD,
                        part_value(ev, lane, bytes, at)))
            return false; /* what is noted already may be noted again */
    }
    return true;
}

void cells_access(struct race_block *b, const struct event *ev)
{
    uint32_t insn = race_insn_id(b->race, ev->function, ev->insn), rest = 0;
    b->clocks.warp[ev->warp].last = b->clocks.now;
    if (row_access(b, ev, insn))
        return;
    bool is_plain =
        ev->kind != EVENT_ATOMIC && !(b->race->facts[insn].traits & TRAIT_FLAG);
    for (uint32_t m = ev->active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        if (ev->address[i] % ev->size == 0 && /* else it is refused */
            !(is_plain && lane_quick(b, ev, insn, i)))
            rest |= 1u << i;
    }
    while (rest) {
        uint32_t lanes = same_lanes(ev, rest);
        lanes_access(b, ev, insn, lanes);
        rest &= ~lanes;
    }
}
