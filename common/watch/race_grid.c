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
#include "watch/race.h"

#include <stdlib.h>
#include <string.h>

/* ---- data ------------------------------------------------------------------------*/

/* One remembered access of a word. */
struct grid_past {
    uint64_t block;
    uint32_t time;   /* in its block; 0: none */
    uint32_t thread;
    uint32_t insn;
};
struct word {
    struct grid_past slot[SLOTS];
    uint32_t value;  /* of SLOT_WRITE */
    bool has_value;
    struct post *post; /* what was published here, NULL nothing */
};

enum { PAGE_WORDS = 512 };
struct page {
    uint64_t number; /* address / (4 * PAGE_WORDS) */
    struct page *next;
    struct word words[PAGE_WORDS];
};

/* What one warp of one block had published at a flag. */
struct notice {
    uint64_t block;
    uint32_t warp;
    uint32_t time;             /* its own accesses up to here ... */
    uint32_t seen[MAX_WARPS];  /* ... and those it knew of other warps */
    uint64_t version;          /* of the post, when it was added */
    struct notice *next;       /* in the bucket */
};
/* A publisher had itself learnt from another post. */
struct included {
    const struct post *post;
    uint64_t up_to, version;
};
enum { NOTICE_BUCKETS = 64 };
struct post {
    uint64_t version;
    struct notice **buckets;
    uint32_t bucket_count, notice_count;
    struct included *included;
    int included_count;
    struct post *next_all;
};

/* What a block has learnt. */
struct lesson {
    const struct post *post;
    uint64_t up_to;
    bool fenced;
};

struct grid {
    struct race *race;
    struct page **pages;       /* hash table */
    uint32_t page_buckets, page_count;
    struct page *last;
    struct post *posts;        /* all, to free them */
};

/* An access or a fence noted for the block's turn. */
struct note {
    bool is_fence;
    uint8_t kind;              /* enum event_kind */
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
    const struct word *counted;     /* its last atomic was here */
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

static void post_free(struct post *p)
{
    for (uint32_t k = 0; k < p->bucket_count; k++)
        while (p->buckets[k]) {
            struct notice *n = p->buckets[k];
            p->buckets[k] = n->next;
            free(n);
        }
    free(p->buckets);
    free(p->included);
    free(p);
}

void grid_free(struct grid *g)
{
    for (uint32_t k = 0; k < g->page_buckets; k++)
        while (g->pages[k]) {
            struct page *p = g->pages[k];
            g->pages[k] = p->next;
            free(p);
        }
    while (g->posts) {
        struct post *p = g->posts;
        g->posts = p->next_all;
        post_free(p);
    }
    free(g->pages);
    free(g);
}

/* ---- posts ------------------------------------------------------------------------*/

static struct post *post_of(struct grid *g, struct word *w)
{
    if (w->post)
        return w->post;
    struct post *p = checked_alloc(sizeof *p);
    p->bucket_count = NOTICE_BUCKETS;
    p->buckets = checked_alloc(p->bucket_count * sizeof *p->buckets);
    p->next_all = g->posts;
    g->posts = p;
    return w->post = p;
}

static struct notice **bucket_of(const struct post *p, uint64_t block)
{
    return &p->buckets[block * 0x9e3779b9u % p->bucket_count];
}

/* Keeps the lists short when thousands of blocks publish at one word. */
static void post_grow(struct post *p)
{
    if (p->notice_count < 4 * p->bucket_count)
        return;
    struct notice **old = p->buckets;
    uint32_t count = p->bucket_count;
    p->bucket_count = 8 * count;
    p->buckets = checked_alloc(p->bucket_count * sizeof *p->buckets);
    for (uint32_t k = 0; k < count; k++)
        while (old[k]) {
            struct notice *n = old[k];
            old[k] = n->next;
            struct notice **to = bucket_of(p, n->block);
            n->next = *to;
            *to = n;
        }
    free(old);
}

static void publish(struct race_block *b, struct word *w,
                    const struct note *n, const struct ptx_insn *insn)
{
    struct grid_log *log = b->log;
    bool now = insn->order >= ORDER_RELEASE;
    if (!now && !log->fence_time[n->warp])
        return;
    struct post *p = post_of(b->race->grid, w);
    uint32_t time = now ? n->time : log->fence_time[n->warp];
    for (struct notice *old = *bucket_of(p, b->block); old; old = old->next)
        if (old->block == b->block && old->warp == n->warp &&
            old->time == time)
            return; /* says nothing new: a lock that is tried again */
    struct notice *notice = checked_alloc(sizeof *notice);
    notice->block = b->block;
    notice->warp = n->warp;
    notice->time = time;
    memcpy(notice->seen, now ? n->seen : log->fence_seen[n->warp],
           sizeof notice->seen);
    notice->version = ++p->version;
    post_grow(p);
    struct notice **at = bucket_of(p, b->block);
    notice->next = *at;
    *at = notice;
    p->notice_count++;
    for (int k = 0; k < log->lesson_count; k++) {
        const struct lesson *l = &log->lessons[k];
        if (!l->fenced || l->post == p)
            continue;
        p->included = checked_realloc(p->included,
                                      (size_t)(p->included_count + 1) *
                                          sizeof *p->included);
        p->included[p->included_count++] =
            (struct included){ l->post, l->up_to, p->version };
    }
}

static void learn(struct race_block *b, const struct word *w,
                  const struct ptx_insn *insn)
{
    struct grid_log *log = b->log;
    bool at_once =
        insn->order == ORDER_ACQUIRE || insn->order >= ORDER_ACQ_REL;
    if (!w->post)
        return;
    for (int k = 0; k < log->lesson_count; k++) {
        struct lesson *l = &log->lessons[k];
        if (l->post != w->post || (l->fenced && !at_once))
            continue;
        l->up_to = w->post->version;
        l->fenced |= at_once;
        return;
    }
    if (log->lesson_count == log->lesson_capacity) {
        log->lesson_capacity = 2 * log->lesson_capacity + 4;
        log->lessons = checked_realloc(log->lessons,
                                       (size_t)log->lesson_capacity *
                                           sizeof *log->lessons);
    }
    log->lessons[log->lesson_count++] =
        (struct lesson){ w->post, w->post->version, at_once };
}

/* Was `past` published at post p by version `up_to`? */
static bool post_covers(const struct post *p, uint64_t up_to,
                        const struct grid_past *past, int depth)
{
    uint32_t warp = past->thread / WARP_LANES;
    for (const struct notice *n = *bucket_of(p, past->block); n; n = n->next) {
        if (n->block != past->block || n->version > up_to)
            continue;
        if (past->time <= (n->warp == warp ? n->time : n->seen[warp]))
            return true;
    }
    for (int k = 0; depth < 8 && k < p->included_count; k++)
        if (p->included[k].version <= up_to &&
            post_covers(p->included[k].post, p->included[k].up_to, past,
                        depth + 1))
            return true;
    return false;
}

enum knowledge { UNKNOWN, UNFENCED, KNOWN };

static enum knowledge knows(const struct race_block *b,
                            const struct grid_past *past)
{
    enum knowledge best = UNKNOWN;
    for (int k = 0; k < b->log->lesson_count; k++) {
        const struct lesson *l = &b->log->lessons[k];
        if (best >= (l->fenced ? KNOWN : UNFENCED) ||
            !post_covers(l->post, l->up_to, past, 0))
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

/* As in race_cells.c. */
static bool conflict(const struct race_block *b, enum role role, uint32_t now,
                     enum slot_kind slot, uint32_t insn)
{
    const struct race *r = b->race;
    if (slot == SLOT_WRITE)
        return role != ROLE_FLAG_READ || !race_is_flag(r, insn);
    if (slot >= SLOT_ATOMIC)
        return role == ROLE_READ || role == ROLE_WRITE;
    if (role == ROLE_ATOMIC || (role == ROLE_WRITE && race_is_flag(r, now)))
        return !race_is_flag(r, insn);
    return role == ROLE_WRITE;
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
    enum knowledge k = knows(b, past); /* by a lock or a flag */
    if (k == KNOWN || (k == UNFENCED && passes_l1(insn)))
        return true;
    if (past->block == b->block)
        return false;
    *lacks_fence = k == UNFENCED;
    if (k == UNFENCED && n->kind == EVENT_STORE)
        return true; /* a store cannot overtake the atomic it depends on */
    /* The counter's own word: who came last may set it back. */
    return s >= SLOT_ATOMIC && n->kind == EVENT_STORE &&
           b->log->counted == w;
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
        struct race_report report = {
            .insn = n->insn, .other = past->insn, .space = SPACE_GLOBAL,
            .address = address, .thread = thread,
            .other_thread = past->thread, .block = b->block,
            .other_block = past->block, .other_slot = s,
            .is_write = n->kind != EVENT_LOAD,
            .is_atomic = n->kind == EVENT_ATOMIC,
            .same_insn = past->block == b->block && past->time == n->time,
            .lacks_fence = lacks_fence };
        race_tell(b, &report);
        return;
    }
}

static void note_word(struct race_block *b, struct word *w,
                      const struct note *n, enum role role, int lane)
{
    uint32_t thread = n->warp * WARP_LANES + (uint32_t)lane;
    struct grid_past past = { b->block, n->time, thread, n->insn };
    enum slot_kind s = role == ROLE_WRITE    ? SLOT_WRITE
                       : role == ROLE_ATOMIC ? SLOT_ATOMIC
                                             : SLOT_READ;
    if (s == SLOT_WRITE) {
        w->value = n->value[lane];
        w->has_value = n->has_value;
    } else if (w->slot[s].time && (w->slot[s].block != b->block ||
                                   w->slot[s].thread != thread)) {
        /* keep one of another block if there is one */
        struct grid_past *other = &w->slot[s + 1];
        if (w->slot[s].block != b->block || !other->time ||
            other->block == b->block)
            *other = w->slot[s];
    }
    w->slot[s] = past;
}

static void take_note(struct race_block *b, const struct note *n)
{
    struct grid_log *log = b->log;
    const struct ptx_function *f;
    if (n->is_fence) {
        log->fence_time[n->warp] = n->time;
        memcpy(log->fence_seen[n->warp], n->seen, sizeof n->seen);
        for (int k = 0; k < log->lesson_count; k++)
            log->lessons[k].fenced = true;
        return;
    }
    const struct ptx_insn *insn = race_insn(b->race, n->insn, &f);
    enum role role = role_of(b, n, insn);
    for (uint32_t m = n->active; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        for (uint32_t at = 0; at < n->size; at += 4) {
            uint64_t address = n->address[lane] + at;
            struct word *w = find_word(b->race->grid, address);
            if (role == ROLE_FLAG_READ || role == ROLE_ATOMIC)
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

static bool is_watched(const struct race *r, uint64_t address)
{
    const struct buffer *buf = memory_find(r->info->memory, address);
    return buf && buf->role == BUFFER_DATA;
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
            log->notes = checked_realloc(log->notes, log->capacity *
                                                         sizeof *log->notes);
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
    if (!is_watched(b->race, ev->address[__builtin_ctz(ev->active)]))
        return;
    struct note *n = new_note(b, &at_once, ev);
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
