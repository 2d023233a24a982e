/* Shared memory: what each word saw last, and whether the next access is
 * ordered after it.
 *
 * Nearly every access of a good kernel is by 32 lanes to 32 words in a row
 * and conflicts with nothing: rows_* look at all lanes at once.  Only what
 * they cannot clear is looked at lane by lane. */
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

enum { MARGIN = WARP_LANES }; /* cells on both sides of the arrays */

void cells_alloc(struct race_block *b)
{
    size_t n = b->race->cells + 2 * MARGIN;
    uint32_t *at = checked_alloc(n * (3 * SLOTS + 1) * sizeof *at);
    b->arrays = at;
    at += MARGIN;
    for (int s = 0; s < SLOTS; s++) {
        b->time[s] = at + n * (size_t)(3 * s);
        b->thread[s] = at + n * (size_t)(3 * s + 1);
        b->insn[s] = at + n * (size_t)(3 * s + 2);
    }
    b->value = at + n * 3 * SLOTS;
}

void cells_free(struct race_block *b)
{
    free(b->arrays);
}

/* ---- whole rows -------------------------------------------------------------------*/

/* What the row functions need to know of the access. */
struct row {
    uint32_t cell; /* of lane 0; may lie in the margin */
    uint32_t active;
    uint32_t thread;   /* of lane 0 */
    uint32_t low, own; /* known of all warps, of the own warp */
    uint32_t now, insn;
};

/* Every access remembered in the slot is ordered before this one. */
FOR_EVERY_CPU static bool row_clear(const uint32_t *time,
                                    const uint32_t *thread, const struct row *r)
{
    uint32_t bad = 0, warp = r->thread / WARP_LANES;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint32_t t = time[i], who = thread[i];
        uint32_t fine = (t <= r->low) | (who == r->thread + i) |
                        ((who / WARP_LANES == warp) & (t <= r->own));
        bad |= (r->active >> i & 1) & !fine;
    }
    return !bad;
}

FOR_EVERY_CPU static void row_set(uint32_t *time, uint32_t *thread,
                                  uint32_t *insn, const struct row *r)
{
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        bool on = r->active >> i & 1;
        time[i] = on ? r->now : time[i];
        thread[i] = on ? r->thread + i : thread[i];
        insn[i] = on ? r->insn : insn[i];
    }
}

/* The reader remembered so far moves to the second slot if it still matters,
 * unless a reader of another warp is there already. */
FOR_EVERY_CPU static void row_shift(uint32_t *const *slot, uint32_t *const *to,
                                    const struct row *r)
{
    uint32_t warp = r->thread / WARP_LANES;
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint32_t t = slot[0][i], who = slot[1][i];
        bool matters =
            (r->active >> i & 1) & (t > r->low) & (who != r->thread + i);
        bool foreign = who / WARP_LANES != warp;
        bool kept = (to[0][i] > r->low) & (to[1][i] / WARP_LANES != warp);
        bool move = matters & (foreign | !kept);
        to[0][i] = move ? t : to[0][i];
        to[1][i] = move ? who : to[1][i];
        to[2][i] = move ? slot[2][i] : to[2][i];
    }
}

FOR_EVERY_CPU static void row_values(uint32_t *to, const uint64_t *value,
                                     const struct row *r)
{
    for (uint32_t i = 0; i < WARP_LANES; i++)
        to[i] = (r->active >> i & 1) ? (uint32_t)value[i] : to[i];
}

static bool make_row(struct race_block *b, const struct event *ev,
                     struct row *r)
{
    uint64_t first = (uint64_t)__builtin_ctz(ev->active);
    uint64_t base = ev->address[first] - 4 * first;
    if (!ev->is_row || ev->size != 4 || b->race->cell_bytes != 4 ||
        ev->kind == EVENT_ATOMIC ||
        (ev->insn->order != ORDER_WEAK &&
         race_is_flag(b->race, race_insn_id(b->race, ev->function, ev->insn))))
        return false;
    if (ev->address[first] & 3 ||
        ev->address[31 - __builtin_clz(ev->active)] / 4 >= b->race->cells)
        return false;
    const struct warp_clock *w = &b->warps[ev->warp];
    r->cell = (uint32_t)((int64_t)base / 4);
    r->active = ev->active;
    r->thread = ev->warp * WARP_LANES;
    r->low = w->low;
    r->own = w->seen[ev->warp];
    r->now = b->now;
    return true;
}

/* True if the access was cleared and noted as a whole. */
static bool row_access(struct race_block *b, const struct event *ev)
{
    struct row r;
    if (!make_row(b, ev, &r))
        return false;
    int64_t c = (int32_t)r.cell;
#define ARRAYS(s) b->time[s] + c, b->thread[s] + c
    if (!row_clear(ARRAYS(SLOT_WRITE), &r))
        return false;
    if (b->has_atomics && (!row_clear(ARRAYS(SLOT_ATOMIC), &r) ||
                           !row_clear(ARRAYS(SLOT_OTHER_ATOMIC), &r)))
        return false;
    r.insn = race_insn_id(b->race, ev->function, ev->insn);
    if (ev->kind == EVENT_LOAD) {
        uint32_t *from[] = {ARRAYS(SLOT_READ), b->insn[SLOT_READ] + c};
        uint32_t *to[] = {ARRAYS(SLOT_OTHER_READ),
                          b->insn[SLOT_OTHER_READ] + c};
        row_shift(from, to, &r);
        row_set(from[0], from[1], from[2], &r);
        return true;
    }
    if (!row_clear(ARRAYS(SLOT_READ), &r) ||
        !row_clear(ARRAYS(SLOT_OTHER_READ), &r))
        return false;
    row_set(ARRAYS(SLOT_WRITE), b->insn[SLOT_WRITE] + c, &r);
#undef ARRAYS
    if (ev->value)
        row_values(b->value + c, ev->value, &r);
    return true;
}

/* ---- lane by lane -------------------------------------------------------------------*/

/* How an access behaves towards others. */
enum role { ROLE_READ, ROLE_FLAG_READ, ROLE_WRITE, ROLE_ATOMIC };

static enum role role_of(const struct race_block *b, const struct event *ev,
                         uint32_t insn)
{
    if (ev->kind == EVENT_ATOMIC || race_is_release(b, ev))
        return ROLE_ATOMIC;
    if (ev->kind == EVENT_STORE)
        return ROLE_WRITE;
    return ev->insn->order != ORDER_WEAK && race_is_flag(b->race, insn)
               ? ROLE_FLAG_READ
               : ROLE_READ;
}

/* Do an access of this role, by instruction `now`, and a remembered one need
 * an order at all?  Who only looks at a flag needs none with those who set
 * it. */
static bool conflict(const struct race_block *b, enum role role, uint32_t now,
                     enum slot_kind slot, uint32_t insn)
{
    const struct race *r = b->race;
    switch (slot) {
    case SLOT_WRITE: return role != ROLE_FLAG_READ || !race_is_flag(r, insn);
    case SLOT_READ:
    case SLOT_OTHER_READ:
        if (role == ROLE_ATOMIC && race_is_strong(r, insn))
            return false;
        if (role == ROLE_ATOMIC || (role == ROLE_WRITE && race_is_flag(r, now)))
            return !race_is_flag(r, insn);
        return role == ROLE_WRITE;
    default:
        return (role == ROLE_READ && !race_is_strong(r, now)) ||
               role == ROLE_WRITE;
    }
}

static void check_cell(struct race_block *b, const struct event *ev,
                       enum role role, uint32_t insn, uint32_t cell, int lane,
                       uint32_t value)
{
    uint32_t thread = ev->warp * WARP_LANES + (uint32_t)lane;
    for (enum slot_kind s = 0; s < SLOTS; s++) {
        uint32_t time = b->time[s][cell], who = b->thread[s][cell];
        if (!time ||
            race_ordered(b, time, who, thread, ev->insn->order != ORDER_WEAK) ||
            !conflict(b, role, insn, s, b->insn[s][cell]))
            continue;
        if (s == SLOT_WRITE && role == ROLE_WRITE && ev->value &&
            b->value[cell] == value)
            continue; /* the same value twice harms nobody */
        struct race_report report = {.insn = insn,
                                     .other = b->insn[s][cell],
                                     .space = SPACE_SHARED,
                                     .address =
                                         (uint64_t)cell * b->race->cell_bytes,
                                     .thread = thread,
                                     .other_thread = who,
                                     .block = b->block,
                                     .other_block = b->block,
                                     .other_slot = s,
                                     .is_write = ev->is_write,
                                     .is_atomic = ev->is_atomic,
                                     .same_insn = time == b->now};
        race_tell(b, &report);
        return; /* one finding an access is enough */
    }
}

static void note_past(struct race_block *b, enum slot_kind s, uint32_t cell,
                      uint32_t thread, uint32_t insn)
{
    b->time[s][cell] = b->now;
    b->thread[s][cell] = thread;
    b->insn[s][cell] = insn;
}

/* Into slot s, with what was there moved to the next slot if it still
 * matters (see row_shift). */
static void note_pair(struct race_block *b, enum slot_kind s, uint32_t cell,
                      uint32_t thread, uint32_t insn)
{
    const struct warp_clock *w = &b->warps[thread / WARP_LANES];
    enum slot_kind to = s + 1;
    uint32_t who = b->thread[s][cell], warp = thread / WARP_LANES;
    bool matters = b->time[s][cell] > w->low && who != thread;
    bool kept =
        b->time[to][cell] > w->low && b->thread[to][cell] / WARP_LANES != warp;
    if (matters && (who / WARP_LANES != warp || !kept)) {
        b->time[to][cell] = b->time[s][cell];
        b->thread[to][cell] = who;
        b->insn[to][cell] = b->insn[s][cell];
    }
    note_past(b, s, cell, thread, insn);
}

static void note_cell(struct race_block *b, enum role role, uint32_t cell,
                      uint32_t thread, uint32_t insn, uint32_t value)
{
    switch (role) {
    case ROLE_WRITE:
        note_past(b, SLOT_WRITE, cell, thread, insn);
        b->value[cell] = value;
        break;
    case ROLE_ATOMIC:
        b->has_atomics = true;
        note_pair(b, SLOT_ATOMIC, cell, thread, insn);
        break;
    default: note_pair(b, SLOT_READ, cell, thread, insn); break;
    }
}

static void lane_access(struct race_block *b, const struct event *ev,
                        enum role role, int lane, uint32_t insn)
{
    uint32_t bytes = b->race->cell_bytes;
    uint64_t first = ev->address[lane] / bytes;
    uint64_t last = (ev->address[lane] + ev->size - 1) / bytes;
    uint32_t thread = ev->warp * WARP_LANES + (uint32_t)lane;
    for (uint64_t c = first; c <= last && c < b->race->cells; c++) {
        uint32_t cell = (uint32_t)c;
        uint64_t value = ev->value ? ev->value[lane] : 0;
        uint32_t part = (uint32_t)(value >> (8 * bytes * (c - first) & 63));
        if (bytes == 1)
            part &= 0xff;
        check_cell(b, ev, role, insn, cell, lane, part);
        if (role == ROLE_FLAG_READ || ev->kind == EVENT_ATOMIC)
            race_learn(b, cell, ev);
        if (role == ROLE_ATOMIC)
            race_publish(b, cell, ev);
        note_cell(b, role, cell, thread, insn, part);
    }
}

void cells_access(struct race_block *b, const struct event *ev)
{
    if (row_access(b, ev))
        return;
    uint32_t insn = race_insn_id(b->race, ev->function, ev->insn);
    enum role role = role_of(b, ev, insn);
    for (uint32_t m = ev->active; m; m &= m - 1)
        lane_access(b, ev, role, __builtin_ctz(m), insn);
}
