/* Global memory: races between blocks, and inside a block.
 *
 * Only words that the kernel can write are watched; the input is not.  A
 * block's accesses are noted with a snapshot of its clocks and looked at in
 * the launch's serial order: those made apart when the block's turn begins,
 * later ones at once.
 *
 * Between blocks order comes from flags: an atomic (or a relaxed or stronger
 * access, or a volatile one of a whole number).  A flag's word collects what
 * each writer knew at its last fence (or now, if the access itself releases).
 * Who reads the flag has learnt it, but may rely on it only after a fence of
 * its own, with an acquire, or by loads that pass the L1 (volatile, .cg and
 * stronger).  PTX ISA 8.9, causality order. */
#include "watch/race_posts.h"

#include <stdlib.h>
#include <string.h>

/* ---- data ------------------------------------------------------------------------*/

/* One remembered access of a word. */
struct grid_past {
    uint64_t block;
    uint32_t time; /* in its block; 0: none */
    uint32_t thread;
    uint32_t insn;
};
struct word {
    struct grid_past slot[SLOTS];
    uint32_t value;      /* of SLOT_WRITE */
    uint32_t flag_value; /* last stored at a flag */
    bool has_value;
    struct post *post; /* what was published here, NULL nothing */
};

enum { PAGE_WORDS = 512 };
struct page {
    uint64_t number; /* address / (4 * PAGE_WORDS) */
    struct page *next;
    struct word words[PAGE_WORDS];
};

struct grid {
    struct race *race;
    struct page **pages; /* hash table */
    uint32_t page_buckets, page_count;
    struct page *last;
    struct posts posts;
};

/* An access or a fence noted for the block's turn. */
struct note {
    bool is_fence;
    uint8_t kind; /* enum event_kind */
    bool has_value;
    uint32_t size;
    uint32_t active, warp, time, insn;
    uint32_t seen[MAX_WARPS];
    uint64_t address[WARP_LANES];
    uint32_t value[WARP_LANES];
};
struct grid_log {
    struct note *notes;
    uint32_t count, capacity;
    uint32_t fence_time[MAX_WARPS]; /* 0: no fence yet */
    uint32_t fence_seen[MAX_WARPS][MAX_WARPS];
    const struct word *counted; /* its last atomic was here */
    struct lesson *lessons;
    int lesson_count, lesson_capacity;
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

void grid_free(struct grid *g)
{
    for (uint32_t k = 0; k < g->page_buckets; k++)
        while (g->pages[k]) {
            struct page *p = g->pages[k];
            g->pages[k] = p->next;
            free(p);
        }
    posts_free(&g->posts);
    free(g->pages);
    free(g);
}

/* ---- flags -----------------------------------------------------------------------*/

/* What others may rely on who read what this access writes: for each warp its
 * accesses up to a fence that comes before this one.  The fence may be this
 * warp's own after a barrier, or the other warp's own before it.  False if
 * there is none. */
static bool fenced_past(const struct grid_log *log, const struct note *n,
                        const struct ptx_insn *insn, struct notice *to)
{
    bool release = insn->order >= ORDER_RELEASE, any = release;
    to->store_time = n->time;
    to->time = release ? n->time : log->fence_time[n->warp];
    for (int x = 0; x < MAX_WARPS; x++) {
        uint32_t own =
            log->fence_time[x] < n->seen[x] ? log->fence_time[x] : n->seen[x];
        uint32_t mine = release ? n->seen[x] : log->fence_seen[n->warp][x];
        to->seen[x] = own > mine ? own : mine;
        any |= log->fence_time[x] != 0;
    }
    return any;
}

static void publish(struct race_block *b, struct word *w, const struct note *n,
                    const struct ptx_insn *insn)
{
    struct grid_log *log = b->log;
    struct notice what;
    if (insn->scope == SCOPE_CTA || !fenced_past(log, n, insn, &what))
        return;
    if (!w->post)
        w->post = post_new(&b->race->grid->posts);
    if (!post_publish(w->post, b->block, n->warp, &what))
        return;
    for (int k = 0; k < log->lesson_count; k++) {
        const struct lesson *l = &log->lessons[k];
        if (l->fenced && l->post != w->post)
            post_add_source(w->post, l->post, l->up_to);
    }
}

static void learn(struct race_block *b, const struct word *w,
                  const struct ptx_insn *insn)
{
    struct grid_log *log = b->log;
    bool at_once = insn->order == ORDER_ACQUIRE || insn->order >= ORDER_ACQ_REL;
    if (!w->post || insn->scope == SCOPE_CTA)
        return;
    for (int k = 0; k < log->lesson_count; k++) {
        struct lesson *l = &log->lessons[k];
        if (l->post != w->post || (l->fenced && !at_once))
            continue;
        l->up_to = post_version(w->post);
        l->fenced |= at_once;
        return;
    }
    if (log->lesson_count == log->lesson_capacity) {
        log->lesson_capacity = 2 * log->lesson_capacity + 4;
        log->lessons = checked_realloc(
            log->lessons, (size_t)log->lesson_capacity * sizeof *log->lessons);
    }
    log->lessons[log->lesson_count++] =
        (struct lesson){w->post, post_version(w->post), at_once};
}

enum knowledge { UNKNOWN, UNFENCED, KNOWN };

static enum knowledge knows(const struct race_block *b,
                            const struct grid_past *past)
{
    enum knowledge best = UNKNOWN;
    for (int k = 0; k < b->log->lesson_count; k++) {
        const struct lesson *l = &b->log->lessons[k];
        if (best >= (l->fenced ? KNOWN : UNFENCED) ||
            !post_covers(&b->race->grid->posts, l, past->block, past->thread,
                         past->time))
            continue;
        best = l->fenced ? KNOWN : UNFENCED;
    }
    return best;
}

/* ---- one lane's access to one word ---------------------------------------------------*/

enum role { ROLE_READ, ROLE_FLAG_READ, ROLE_WRITE, ROLE_ATOMIC };

static enum role role_of(const struct race_block *b, const struct note *n,
                         const struct ptx_insn *insn)
{
    if (n->kind == EVENT_ATOMIC)
        return ROLE_ATOMIC;
    if (n->kind == EVENT_STORE)
        return race_is_flag(b->race, n->insn) && insn->order != ORDER_WEAK &&
                       (insn->order >= ORDER_RELEASE ||
                        b->log->fence_time[n->warp])
                   ? ROLE_ATOMIC
                   : ROLE_WRITE;
    return race_is_flag(b->race, n->insn) ? ROLE_FLAG_READ : ROLE_READ;
}

static bool is_store(const struct race *r, uint32_t id)
{
    const struct ptx_function *f;
    return race_insn(r, id, &f)->op == OP_ST;
}

/* As in race_cells.c; and two who set one flag need an order: it is not read
 * and written in one go. */
static bool conflict(const struct race_block *b, enum role role, uint32_t now,
                     enum slot_kind slot, uint32_t insn)
{
    const struct race *r = b->race;
    if (slot == SLOT_WRITE)
        return role != ROLE_FLAG_READ || !race_is_flag(r, insn);
    if (slot >= SLOT_ATOMIC)
        return (role == ROLE_READ && !race_is_strong(r, now)) ||
               role == ROLE_WRITE ||
               (role == ROLE_ATOMIC && is_store(r, now) && is_store(r, insn));
    if (role == ROLE_ATOMIC && race_is_strong(r, insn))
        return false;
    if (role == ROLE_ATOMIC || (role == ROLE_WRITE && race_is_flag(r, now)))
        return !race_is_flag(r, insn);
    return role == ROLE_WRITE;
}

/* Is `past` the very store or atomic that this block has learnt from? */
static bool learnt_from(const struct race_block *b, const struct word *w,
                        const struct grid_past *past)
{
    for (int k = 0; w->post && k < b->log->lesson_count; k++) {
        const struct lesson *l = &b->log->lessons[k];
        if (l->post == w->post && post_has_store(l, past->block, past->time))
            return true;
    }
    return false;
}

/* Inside the block: the clocks as they were when the access was made. */
static bool ordered_here(const struct note *n, const struct grid_past *past,
                         uint32_t thread)
{
    return past->thread == thread ||
           past->time <= n->seen[past->thread / WARP_LANES];
}

/* Loads that cannot be served by an L1 that is out of date. */
static bool passes_l1(const struct ptx_insn *insn)
{
    return insn->order != ORDER_WEAK || (insn->flags & FLAG_CACHE_GLOBAL) ||
           insn->op == OP_ATOM || insn->op == OP_RED;
}

static bool is_ordered(const struct race_block *b, const struct word *w,
                       const struct note *n, const struct ptx_insn *insn,
                       enum slot_kind s, uint32_t thread, bool *lacks_fence)
{
    const struct grid_past *past = &w->slot[s];
    if (past->block == b->block && ordered_here(n, past, thread))
        return true;
    if (s >= SLOT_ATOMIC && learnt_from(b, w, past))
        return true;
    enum knowledge k = knows(b, past); /* by a lock or a flag */
    if (k == KNOWN || (k == UNFENCED && passes_l1(insn)))
        return true;
    if (past->block == b->block)
        return false;
    *lacks_fence = k == UNFENCED;
    if (k == UNFENCED && n->kind == EVENT_STORE)
        return true; /* a store cannot overtake the atomic it depends on */
    /* The counter's own word: who came last may set it back. */
    return s >= SLOT_ATOMIC && n->kind == EVENT_STORE && b->log->counted == w;
}

static void check_word(struct race_block *b, struct word *w,
                       const struct note *n, const struct ptx_insn *insn,
                       enum role role, int lane, uint64_t address)
{
    uint32_t thread = n->warp * WARP_LANES + (uint32_t)lane;
    for (enum slot_kind s = 0; s < SLOTS; s++) {
        const struct grid_past *past = &w->slot[s];
        bool lacks_fence = false;
        if (!past->time || !conflict(b, role, n->insn, s, past->insn) ||
            is_ordered(b, w, n, insn, s, thread, &lacks_fence))
            continue;
        if (s == SLOT_WRITE && role == ROLE_WRITE && n->has_value &&
            w->has_value && w->value == n->value[lane])
            continue; /* the same value twice harms nobody */
        if (s >= SLOT_ATOMIC && role == ROLE_ATOMIC && n->has_value &&
            w->flag_value == n->value[lane])
            continue;
        struct race_report report = {.insn = n->insn,
                                     .other = past->insn,
                                     .space = SPACE_GLOBAL,
                                     .address = address,
                                     .thread = thread,
                                     .other_thread = past->thread,
                                     .block = b->block,
                                     .other_block = past->block,
                                     .other_slot = s,
                                     .is_write = n->kind != EVENT_LOAD,
                                     .is_atomic = n->kind == EVENT_ATOMIC,
                                     .same_insn = past->block == b->block &&
                                                  past->time == n->time,
                                     .lacks_fence = lacks_fence};
        race_tell(b, &report);
        return;
    }
}

static void note_word(struct race_block *b, struct word *w,
                      const struct note *n, enum role role, int lane)
{
    uint32_t thread = n->warp * WARP_LANES + (uint32_t)lane;
    struct grid_past past = {b->block, n->time, thread, n->insn};
    enum slot_kind s = role == ROLE_WRITE    ? SLOT_WRITE
                       : role == ROLE_ATOMIC ? SLOT_ATOMIC
                                             : SLOT_READ;
    if (s == SLOT_ATOMIC && n->kind == EVENT_STORE)
        w->flag_value = n->value[lane];
    if (s == SLOT_WRITE) {
        w->value = n->value[lane];
        w->has_value = n->has_value;
    } else if (w->slot[s].time &&
               (w->slot[s].block != b->block || w->slot[s].thread != thread)) {
        /* keep one of another block if there is one */
        struct grid_past *other = &w->slot[s + 1];
        if (w->slot[s].block != b->block || !other->time ||
            other->block == b->block)
            *other = w->slot[s];
    }
    w->slot[s] = past;
}

/* A fence: all that was learnt may be relied on.  One lesson a post stays. */
static void fence_lessons(struct grid_log *log)
{
    int count = 0;
    for (int k = 0; k < log->lesson_count; k++) {
        struct lesson l = log->lessons[k];
        int same = 0;
        while (same < count && log->lessons[same].post != l.post)
            same++;
        if (same == count)
            log->lessons[count++] = l;
        else if (log->lessons[same].up_to < l.up_to)
            log->lessons[same].up_to = l.up_to;
        log->lessons[same].fenced = true;
    }
    log->lesson_count = count;
}

static void take_note(struct race_block *b, const struct note *n)
{
    struct grid_log *log = b->log;
    const struct ptx_function *f;
    if (n->is_fence) {
        log->fence_time[n->warp] = n->time;
        memcpy(log->fence_seen[n->warp], n->seen, sizeof n->seen);
        fence_lessons(log);
        return;
    }
    const struct ptx_insn *insn = race_insn(b->race, n->insn, &f);
    enum role role = role_of(b, n, insn);
    for (uint32_t m = n->active; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        for (uint32_t at = 0; at < n->size; at += 4) {
            uint64_t address = n->address[lane] + at;
            struct word *w = find_word(b->race->grid, address);
            if (role == ROLE_FLAG_READ || n->kind == EVENT_ATOMIC)
                learn(b, w, insn);
            check_word(b, w, n, insn, role, lane, address);
            if (role == ROLE_ATOMIC) {
                publish(b, w, n, insn);
                log->counted = w;
            }
            note_word(b, w, n, role, lane);
        }
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
        if (is_inside && buf->role == BUFFER_DATA)
            lanes |= 1u << i;
    }
    return lanes;
}

static struct note *new_note(struct race_block *b, struct note *at_once,
                             const struct event *ev)
{
    struct grid_log *log = b->log;
    struct note *n = at_once;
    const struct warp_clock *w = &b->warps[ev->warp];
    if (!b->in_turn) {
        if (log->count == log->capacity) {
            log->capacity = 2 * log->capacity + 16;
            log->notes =
                checked_realloc(log->notes, log->capacity * sizeof *log->notes);
        }
        n = &log->notes[log->count++];
    }
    n->is_fence = ev->kind == EVENT_FENCE;
    n->kind = (uint8_t)ev->kind;
    n->active = ev->active;
    n->warp = ev->warp;
    n->time = b->now;
    n->insn = race_insn_id(b->race, ev->function, ev->insn);
    memcpy(n->seen, w->seen, sizeof n->seen);
    return n;
}

void grid_access(struct race_block *b, const struct event *ev)
{
    struct note at_once;
    uint32_t lanes = watched_lanes(b->race, ev);
    if (!lanes)
        return;
    struct note *n = new_note(b, &at_once, ev);
    n->active = lanes;
    n->size = ev->size;
    n->has_value = ev->value && ev->size <= 4;
    for (uint32_t m = ev->active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        n->address[i] = ev->address[i];
        n->value[i] = n->has_value ? (uint32_t)ev->value[i] : 0;
    }
    if (b->in_turn)
        take_note(b, n);
}

void grid_fence(struct race_block *b, const struct event *ev)
{
    struct note at_once;
    if (ev->insn->scope == SCOPE_CTA)
        return; /* __threadfence_block(): other blocks see nothing of it */
    struct note *n = new_note(b, &at_once, ev);
    if (b->in_turn)
        take_note(b, n);
}

void grid_begin_block(struct race_block *b)
{
    if (!b->log)
        b->log = checked_alloc(sizeof *b->log);
    b->log->count = 0;
    b->log->lesson_count = 0;
    b->log->counted = NULL;
    memset(b->log->fence_time, 0, sizeof b->log->fence_time);
}

void grid_turn(struct race_block *b)
{
    b->in_turn = true;
    for (uint32_t k = 0; k < b->log->count; k++)
        take_note(b, &b->log->notes[k]);
    b->log->count = 0;
}

void grid_end_block(struct race_block *b)
{
    if (!b->in_turn) /* the launch was given up */
        b->log->count = 0;
}

void grid_free_block(struct race_block *b)
{
    if (!b->log)
        return;
    free(b->log->notes);
    free(b->log->lessons);
    free(b->log);
}
