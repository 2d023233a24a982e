/* Global memory: races between blocks, and inside a block.
 *
 * Only words that the kernel can write are watched; the input is not.  A
 * block's accesses are noted with what its threads knew then, and looked at in
 * the launch's serial order: those made apart when the block's turn begins,
 * later ones at once.
 *
 * Order inside the block comes from its clocks, order between blocks from
 * posts: what threads store at a flag publishes what they have fenced, and who
 * reads it has learnt that (race_lessons.h).  The answer of a red is unknown:
 * nobody learns from it. */
#include "watch/race_lessons.h"

#include "watch/race.h"

#include <stdlib.h>
#include <string.h>

/* ---- data ------------------------------------------------------------------------*/

struct word {
    struct past_set set[PAST_KINDS];
    struct post *post; /* what was published here, NULL nothing */
};

enum { PAGE_WORDS = 256 };
struct page {
    uint64_t number; /* address / (4 * PAGE_WORDS) */
    struct page *next;
    struct word words[PAGE_WORDS];
};

struct grid {
    struct race *race;
    struct page **pages; /* hash table */
    uint32_t page_buckets;
    struct page *last;
    struct posts posts;
};

/* An access noted for the block's turn. */
struct note {
    const struct view *view;
    uint8_t kind; /* enum event_kind */
    bool has_value;
    uint32_t size;
    uint32_t active, warp, time, insn;
    uint64_t address[WARP_LANES];
    uint64_t value[2][WARP_LANES]; /* bytes 0 to 7, 8 to 15 */
};
struct grid_log {
    struct note *notes;
    uint32_t count, capacity;
    struct lessons lessons;
    /* The block's last atomic with an answer. */
    const struct word *counted;
    uint32_t counted_warp, counted_lanes, counted_time;
};

/* ---- words -----------------------------------------------------------------------*/

static struct page *find_page(struct grid *g, uint64_t number)
{
    if (g->last && g->last->number == number)
        return g->last;
    struct page **at =
        &g->pages[(number * 0x9e3779b97f4a7c15u) >> 32 & (g->page_buckets - 1)];
    for (struct page *p = *at; p; p = p->next)
        if (p->number == number)
            return g->last = p;
    struct page *p = checked_alloc(sizeof *p);
    p->number = number;
    p->next = *at;
    *at = p;
    return g->last = p;
}

static struct word *find_word(struct grid *g, uint64_t address)
{
    uint64_t index = address / 4;
    return &find_page(g, index / PAGE_WORDS)->words[index % PAGE_WORDS];
}

struct grid *grid_new(struct race *r)
{
    struct grid *g = checked_alloc(sizeof *g);
    g->race = r;
    g->page_buckets = 4096;
    g->pages = checked_alloc(g->page_buckets * sizeof *g->pages);
    return g;
}

static void page_free(struct page *p)
{
    for (int k = 0; k < PAGE_WORDS; k++)
        for (int kind = 0; kind < PAST_KINDS; kind++)
            past_free(&p->words[k].set[kind]);
    free(p);
}

void grid_free(struct grid *g)
{
    for (uint32_t k = 0; k < g->page_buckets; k++)
        while (g->pages[k]) {
            struct page *p = g->pages[k];
            g->pages[k] = p->next;
            page_free(p);
        }
    posts_free(&g->posts);
    free(g->pages);
    free(g);
}

/* ---- flags -----------------------------------------------------------------------*/

/* The lanes of a note that do the same at one address. */
struct joint {
    const struct note *note;
    const struct race_fact *fact;
    struct now now;
    uint32_t lanes;
};

static bool is_fenced(const struct view *v, uint32_t lanes)
{
    bool any = false;
    for (uint32_t m = v->lanes ? lanes : 0; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        any |= v->lanes->own[CLOCK_FENCED_GRID][i] ||
               v->lanes->clock[CLOCK_FENCED_GRID][i];
    }
    return any;
}

static void publish(struct race_block *b, struct word *w, const struct joint *j)
{
    struct grid_log *log = b->log;
    uint32_t time[BLOCK_THREADS];
    if (j->fact->insn->scope == SCOPE_CTA ||
        !(j->fact->releases || is_fenced(j->note->view, j->lanes)))
        return;
    memset(time, 0, sizeof *time * b->clocks.warps * WARP_LANES);
    for (uint32_t m = j->lanes; m; m &= m - 1)
        view_fenced(j->note->view, &b->clocks, (uint32_t)__builtin_ctz(m),
                    j->fact->releases, j->note->time, time);
    struct notice what = {.store_time = j->note->time,
                          .time = time,
                          .threads = b->clocks.threads};
    if (!w->post)
        w->post = post_new(&b->race->grid->posts);
    if (post_publish(w->post, b->block, &what))
        lessons_pass_on(&log->lessons, w->post, time);
}

static void learn(struct race_block *b, const struct word *w,
                  const struct joint *j)
{
    const struct note *n = j->note;
    if (!w->post || j->fact->insn->scope == SCOPE_CTA)
        return;
    lessons_add(&b->log->lessons, w->post, n->warp, j->lanes, n->time,
                b->clocks.warp[n->warp].meetings, j->fact->acquires);
}

/* ---- lanes that access one word ------------------------------------------------------*/

/* The counter's own word: who came last may set it back. */
static bool is_counted(const struct race_block *b, const struct word *w,
                       const struct joint *j, uint32_t lane)
{
    const struct grid_log *log = b->log;
    const struct view *v = j->note->view;
    bool knows =
        log->counted_time <= v->seen[log->counted_warp] ||
        (v->warp == log->counted_warp && (log->counted_lanes >> lane & 1));
    for (uint32_t m = v->lanes ? log->counted_lanes : 0; m; m &= m - 1)
        knows |= view_orders(v, log->counted_time,
                             log->counted_warp * WARP_LANES +
                                 (uint32_t)__builtin_ctz(m),
                             lane, false);
    return log->counted == w && knows;
}

/* Did the lane, or a thread that it knows of, read the flag after that store
 * or atomic of its block?  What is stored at the flag then comes after it. */
static bool has_read_since(struct word *w, const struct joint *j,
                           const struct past *old, uint32_t lane)
{
    static const enum past_kind kinds[] = {PAST_READ, PAST_ATOMIC};
    bool any = false;
    for (int k = 0; k < 2; k++) {
        struct past_set *s = &w->set[kinds[k]];
        for (uint32_t i = 0; i < s->count && !any; i++) {
            const struct past *r = &past_items(s)[i];
            if (r->block != old->block || r->time <= old->time || r->is_store ||
                !(r->traits & TRAIT_FLAG))
                continue;
            for (uint32_t m = r->lanes; m && !any; m &= m - 1)
                any = view_orders(j->note->view, r->time,
                                  (uint32_t)r->warp * WARP_LANES +
                                      (uint32_t)__builtin_ctz(m),
                                  lane, false);
        }
    }
    return any;
}

static bool is_ordered(const struct race_block *b, struct word *w,
                       const struct joint *j, enum past_kind kind,
                       const struct past *old, uint32_t lane,
                       uint32_t other_lane, bool *lacks_fence)
{
    const struct note *n = j->note;
    const struct lessons *lessons = &b->log->lessons;
    uint32_t thread = (uint32_t)old->warp * WARP_LANES + other_lane;
    bool is_here = old->block == (uint32_t)b->block;
    if (is_here && view_orders(n->view, old->time, thread, lane,
                               j->fact->traits & TRAIT_STRONG))
        return true;
    if (is_here && kind != PAST_READ && (old->traits & TRAIT_FLAG) &&
        (j->fact->traits & TRAIT_FLAG) && has_read_since(w, j, old, lane))
        return true;
    if (kind == PAST_ATOMIC && w->post &&
        lessons_have_store(lessons, w->post, n->view, lane, old->block,
                           old->time))
        return true;
    enum knowledge k = lessons_know(lessons, &b->race->grid->posts, n->view,
                                    lane, old->block, thread, old->time);
    if (k == LEARNT || (k == UNFENCED && j->fact->passes_l1))
        return true;
    if (is_here)
        return false;
    *lacks_fence = k == UNFENCED;
    if (k == UNFENCED && n->kind == EVENT_STORE)
        return true; /* a store cannot overtake the atomic it depends on */
    return kind == PAST_ATOMIC && n->kind == EVENT_STORE &&
           is_counted(b, w, j, lane);
}

/* Two lanes that nothing orders. */
static bool find_pair(const struct race_block *b, struct word *w,
                      const struct joint *j, enum past_kind kind,
                      const struct past *old, struct race_report *to)
{
    if (!j->fact->is_nc && old->block == (uint32_t)b->block &&
        old->time <= j->note->view->seen[old->warp])
        return false;
    for (uint32_t m = j->lanes; m; m &= m - 1)
        for (uint32_t o = old->lanes; o; o &= o - 1) {
            uint32_t x = (uint32_t)__builtin_ctz(m),
                     y = (uint32_t)__builtin_ctz(o);
            if (!j->fact->is_nc &&
                is_ordered(b, w, j, kind, old, x, y, &to->lacks_fence))
                continue;
            to->thread = j->note->warp * WARP_LANES + x;
            to->other_thread = (uint32_t)old->warp * WARP_LANES + y;
            return true;
        }
    return false;
}

/* Two who set one flag to different values need an order: it is not read and
 * written in one go. */
static bool needs_order(const struct joint *j, enum past_kind kind,
                        const struct past *old)
{
    const struct now *now = &j->now;
    if (!(old->bytes & now->past.bytes))
        return false;
    if (kind == PAST_ATOMIC && now->role == ROLE_ATOMIC)
        return (old->is_store && now->past.is_store &&
                !past_agrees(old, &now->past)) ||
               (old->block != now->past.block &&
                ((old->traits | now->past.traits) & TRAIT_BLOCK));
    if (kind == PAST_WRITE && now->role == ROLE_WRITE &&
        past_agrees(old, &now->past))
        return false; /* the same value twice harms nobody */
    return past_conflicts(now, kind, old);
}

/* An old access that is ordered before a store now: who races with the old one
 * races with the store, too.  (But for stores of the same value; so few old
 * ones are kept.) */
static bool is_covered(const struct joint *j, enum past_kind kind,
                       const struct past_set *s, const struct past *old)
{
    const struct past *p = &j->now.past;
    return j->now.role == ROLE_WRITE && !(old->bytes & ~p->bytes) &&
           (kind == PAST_WRITE ? old->traits == p->traits
                               : s->count >= PAST_MANY);
}

static void check_word(struct race_block *b, struct word *w,
                       const struct joint *j, uint64_t address)
{
    const struct note *n = j->note;
    bool only_adds = j->now.role == ROLE_ATOMIC && !j->now.past.is_store &&
                     !b->race->has_block_atomics;
    for (enum past_kind kind = 0; kind < PAST_KINDS; kind++) {
        struct past_set *s = &w->set[kind];
        if ((kind == PAST_ATOMIC && only_adds) ||
            (kind == PAST_READ && n->kind == EVENT_LOAD))
            continue; /* never in need of an order, and there may be many */
        for (uint32_t k = s->count; k-- > 0;) {
            const struct past *old = &past_items(s)[k];
            struct race_report report = {.insn = n->insn,
                                         .other = old->insn,
                                         .space = SPACE_GLOBAL,
                                         .address = address,
                                         .block = b->block,
                                         .other_block = old->block,
                                         .other_kind = kind,
                                         .is_write = n->kind != EVENT_LOAD,
                                         .is_atomic = n->kind == EVENT_ATOMIC,
                                         .same_insn =
                                             old->block == (uint32_t)b->block &&
                                             old->time == n->time};
            if (!needs_order(j, kind, old))
                continue;
            if (!find_pair(b, w, j, kind, old, &report)) {
                if (is_covered(j, kind, s, old))
                    past_remove(s, k);
                continue;
            }
            race_tell(b, &report);
            return;
        }
    }
}

static void access_word(struct race_block *b, struct word *w,
                        const struct joint *j, uint64_t address)
{
    struct grid_log *log = b->log;
    bool has_answer =
        j->note->kind == EVENT_ATOMIC && j->fact->insn->op == OP_ATOM;
    if (j->now.role == ROLE_FLAG_READ || has_answer)
        learn(b, w, j);
    check_word(b, w, j, address);
    if (j->now.role == ROLE_ATOMIC)
        publish(b, w, j);
    if (has_answer) {
        log->counted = w;
        log->counted_warp = j->note->warp;
        log->counted_lanes = j->lanes;
        log->counted_time = j->note->time;
    }
    past_add(&w->set[past_kind_of(j->now.role)], &j->now);
}

/* ---- notes --------------------------------------------------------------------------*/

/* Of the lanes with the first one's address those with its value, too. */
static uint32_t same_lanes(const struct note *n, uint32_t lanes)
{
    int first = __builtin_ctz(lanes);
    uint32_t same = 0;
    for (uint32_t m = lanes; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        same |= (uint32_t)(n->address[i] == n->address[first] &&
                           n->value[0][i] == n->value[0][first] &&
                           n->value[1][i] == n->value[1][first])
                << i;
    }
    return n->kind == EVENT_STORE && !n->has_value ? lanes & -lanes : same;
}

static void take_lanes(struct race_block *b, struct joint *j)
{
    const struct note *n = j->note;
    int lane = __builtin_ctz(j->lanes);
    uint32_t size = n->size < 4 ? n->size : 4;
    uint32_t first = n->address[lane] & 3;
    for (uint32_t at = 0; at < n->size; at += 4) {
        uint64_t address = n->address[lane] + at;
        uint64_t value = n->value[at / 8 % 2][lane] >> 8 * (at & 7);
        j->now.past = (struct past){
            .block = (uint32_t)b->block,
            .time = n->time,
            .lanes = j->lanes,
            .value = (uint32_t)value << 8 * first,
            .insn = n->insn,
            .warp = (uint8_t)n->warp,
            .bytes = (uint8_t)(((1u << size) - 1) << first),
            .traits = j->fact->traits,
            .has_value = n->has_value,
            .is_store = j->now.role == ROLE_ATOMIC && n->kind == EVENT_STORE};
        access_word(b, find_word(b->race->grid, address), j, address);
    }
}

static void take_note(struct race_block *b, const struct note *n)
{
    struct joint j = {.note = n, .fact = &b->race->facts[n->insn]};
    j.now.view = n->view;
    for (uint32_t rest = n->active; rest; rest &= ~j.lanes) {
        j.lanes = same_lanes(n, rest);
        j.now.role = race_role(j.fact, n->kind, is_fenced(n->view, j.lanes));
        take_lanes(b, &j);
    }
}

/* ---- events -------------------------------------------------------------------------*/

/* The lanes whose access lies in memory that the kernel may write.  Others
 * are refused, or read what nobody changes. */
static uint32_t watched_lanes(const struct race *r, const struct event *ev)
{
    const struct buffer *buf = NULL;
    uint32_t lanes = 0;
    for (uint32_t m = ev->active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        uint64_t address = ev->address[i];
        if (!buf || address - buf->address >= buf->bytes)
            buf = memory_find(r->info->memory, address);
        bool is_inside =
            buf && buf->bytes - (address - buf->address) >= ev->size;
        if (is_inside && buf->role == BUFFER_DATA && address % ev->size == 0)
            lanes |= 1u << i;
        if (ev->is_row && buf && buf->role != BUFFER_DATA && is_inside &&
            ev->address[31 - __builtin_clz(m)] - buf->address < buf->bytes)
            return lanes; /* all the others are in this one, too */
    }
    return lanes;
}

static struct note *new_note(struct race_block *b, struct note *at_once)
{
    struct grid_log *log = b->log;
    if (b->in_turn)
        return at_once;
    if (log->count == log->capacity) {
        log->capacity = 2 * log->capacity + 16;
        log->notes =
            checked_realloc(log->notes, log->capacity * sizeof *log->notes);
    }
    return &log->notes[log->count++];
}

/* What the block itself may learn at a flag in global memory. */
static void pass_in_block(struct race_block *b, const struct note *n)
{
    const struct race_fact *fact = &b->race->facts[n->insn];
    enum role role = race_role(fact, n->kind, true);
    bool learns = role == ROLE_FLAG_READ ||
                  (n->kind == EVENT_ATOMIC && fact->insn->op == OP_ATOM);
    for (uint32_t rest = n->active; rest;) {
        uint64_t key = n->address[__builtin_ctz(rest)] & ~3ull;
        uint32_t lanes = 0;
        for (uint32_t m = rest; m; m &= m - 1)
            if ((n->address[__builtin_ctz(m)] & ~3ull) == key)
                lanes |= m & -m;
        rest &= ~lanes;
        if (learns)
            clocks_learn(&b->clocks, key, n->warp, lanes, fact->acquires);
        if (role == ROLE_ATOMIC)
            clocks_publish(&b->clocks, key, n->warp, lanes, fact->releases);
    }
}

void grid_access(struct race_block *b, const struct event *ev)
{
    struct note at_once;
    uint32_t lanes = watched_lanes(b->race, ev);
    if (!lanes)
        return;
    struct note *n = new_note(b, &at_once);
    n->kind = (uint8_t)ev->kind;
    n->active = lanes;
    n->warp = ev->warp;
    n->time = b->clocks.now;
    n->insn = race_insn_id(b->race, ev->function, ev->insn);
    n->size = ev->size;
    n->has_value = ev->value && ev->kind == EVENT_STORE;
    uint64_t mask = ev->size < 8 ? (1ull << 8 * ev->size) - 1 : UINT64_MAX;
    for (uint32_t m = lanes; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        n->address[i] = ev->address[i];
        n->value[0][i] = n->has_value ? ev->value[i] & mask : 0;
        n->value[1][i] = n->has_value && ev->value_high ? ev->value_high[i] : 0;
    }
    if (b->race->facts[n->insn].traits & TRAIT_FLAG)
        pass_in_block(b, n);
    struct view view = clocks_view(&b->clocks, ev->warp);
    n->view = b->in_turn ? &view : clocks_keep(&b->clocks, ev->warp);
    if (b->in_turn)
        take_note(b, n);
}

void grid_fence(struct race_block *b, const struct event *ev)
{
    if (!b->in_turn || ev->insn->scope == SCOPE_CTA)
        return; /* nothing was learnt of other blocks; they see nothing of it */
    struct view view = clocks_view(&b->clocks, ev->warp);
    lessons_fence(&b->log->lessons, &view, ev->active, b->clocks.now,
                  b->clocks.warp[ev->warp].meetings);
}

void grid_begin_block(struct race_block *b)
{
    if (!b->log)
        b->log = checked_alloc(sizeof *b->log);
    b->log->count = 0;
    lessons_begin(&b->log->lessons);
    b->log->counted = NULL;
}

void grid_turn(struct race_block *b)
{
    b->in_turn = true;
    for (uint32_t k = 0; k < b->log->count; k++)
        take_note(b, &b->log->notes[k]);
    b->log->count = 0;
    clocks_drop_kept(&b->clocks);
}

void grid_end_block(struct race_block *b)
{
    b->log->count = 0; /* there are some if the launch was given up */
    clocks_drop_kept(&b->clocks);
}

void grid_free_block(struct race_block *b)
{
    if (!b->log)
        return;
    free(b->log->notes);
    lessons_free(&b->log->lessons);
    free(b->log);
}
