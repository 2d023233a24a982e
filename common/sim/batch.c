/* Host threads take the blocks of a batch one by one and run each as far as
 * it can go without the others.  Which thread runs which block, and when,
 * has no influence: blocks of a batch share nothing they write. */
#include "sim/batch.h"

#include "base/random.h"

#include <stdlib.h>
#include <unistd.h>

enum { BATCH_THREADS = 16384, MIN_BATCH = 64, MAX_BATCH = 512 };
/* The blocks of a batch together hold about this much at most. */
#define BATCH_BYTES (1ull << 30)

/* ---- order of blocks --------------------------------------------------------------*/

/* A permutation of 0..n-1 in constant memory: a four-round Feistel network on
 * the next even number of bits, walked until it falls below n. */
static uint64_t permute(uint64_t i, uint64_t n, uint64_t seed)
{
    int half = 1;
    while (half < 32 && (1ull << (2 * half)) < n)
        half++;
    uint64_t low = (1ull << half) - 1;
    do {
        uint64_t a = i >> half, b = i & low;
        for (uint64_t round = 0; round < 4; round++) {
            uint64_t next = a ^ (random_at(seed + round, b) & low);
            a = b;
            b = next;
        }
        i = a << half | b;
    } while (i >= n);
    return i;
}

static uint64_t block_at(const struct machine *m, uint64_t place)
{
    if (m->launch->only)
        return m->launch->only[place];
    switch (m->launch->order) {
    case ORDER_DESCENDING: return m->blocks - 1 - place;
    case ORDER_RANDOM: return permute(place, m->blocks, m->launch->seed);
    default: return place;
    }
}

/* ---- contexts -----------------------------------------------------------------------*/

static struct block *grid_get(struct grid_run *g)
{
    struct block *b = g->pool;
    if (b)
        g->pool = b->next;
    else
        b = block_new(&g->machine);
    b->next = NULL;
    struct body *body = g->bodies;
    if (body)
        g->bodies = body->next;
    else
        body = body_new(&g->machine);
    block_take_body(b, body);
    return b;
}

static void take_body_back(struct grid_run *g, struct block *b)
{
    struct body *body = block_give_body(b);
    body->next = g->bodies;
    g->bodies = body;
}

void grid_put(struct grid_run *g, struct block *b)
{
    if (b->body)
        take_body_back(g, b);
    b->next = g->pool;
    g->pool = b;
}

/* ---- running a batch ----------------------------------------------------------------*/

static void begin_watchers(struct grid_run *g, struct block *b)
{
    const struct launch *l = g->machine.launch;
    const uint32_t gathered =
        WANTS(EVENT_RUN) | WANTS(EVENT_LOAD) | WANTS(EVENT_STORE);
    b->wants = 0;
    b->gathers = true;
    for (int k = 0; k < l->watcher_count; k++) {
        struct watcher *w = l->watchers[k];
        b->watch[k] = w->block_begin ? w->block_begin(w, b->index) : NULL;
        if (b->watch[k] == BLOCK_UNWATCHED)
            continue;
        b->wants |= w->wants;
        b->gathers &= w->adds_runs || !(w->wants & gathered);
    }
    b->gathers &= (b->wants & gathered) == gathered;
}

static bool cancelled(const struct grid_run *g)
{
    const volatile int *cancel = g->machine.launch->cancel;
    return cancel && *cancel;
}

/* Takes blocks until none is left.  Called with the lock held. */
static void work(struct grid_run *g)
{
    while (g->next < g->batch_count && !cancelled(g)) {
        uint64_t k = g->next++;
        struct block *b = grid_get(g);
        uint64_t index = block_at(&g->machine, g->started + k);
        b->index = index;
        begin_watchers(g, b);
        pthread_mutex_unlock(&g->lock);
        block_start(b, index);
        b->apart_limit = g->apart_limit;
        block_run(b);
        pthread_mutex_lock(&g->lock);
        g->batch[k] = b;
        if (b->state == BLOCK_DONE)
            take_body_back(g, b);
    }
}

static void *worker(void *data)
{
    struct grid_run *g = data;
    uint64_t seen = 0;
    pthread_mutex_lock(&g->lock);
    for (;;) {
        while (g->generation == seen && !g->quit)
            pthread_cond_wait(&g->go, &g->lock);
        if (g->quit)
            break;
        seen = g->generation;
        work(g);
        if (--g->busy == 0)
            pthread_cond_signal(&g->over);
    }
    pthread_mutex_unlock(&g->lock);
    return NULL;
}

void batch_run(struct grid_run *g)
{
    uint64_t left = g->machine.blocks - g->started;
    pthread_mutex_lock(&g->lock);
    g->batch_count = left < g->batch_size ? left : g->batch_size;
    g->next = 0;
    if (g->threads > 1 && g->batch_count > 1) {
        g->busy = g->threads - 1;
        g->generation++;
        pthread_cond_broadcast(&g->go);
    }
    work(g);
    while (g->busy)
        pthread_cond_wait(&g->over, &g->lock);
    g->batch_count = g->next; /* fewer when cancelled */
    pthread_mutex_unlock(&g->lock);
    struct block **end = &g->active;
    while (*end)
        end = &(*end)->next;
    for (uint64_t k = 0; k < g->batch_count; k++) {
        *end = g->batch[k];
        end = &g->batch[k]->next;
    }
    *end = NULL;
    g->started += g->batch_count;
}

void batch_setup(struct grid_run *g)
{
    const struct machine *m = &g->machine;
    uint64_t size = BATCH_THREADS / m->info.threads_per_block;
    uint64_t room = BATCH_BYTES / body_bytes(m);
    g->batch_size = size < MIN_BATCH   ? MIN_BATCH
                    : size > MAX_BATCH ? MAX_BATCH
                                       : size;
    if (g->batch_size > room)
        g->batch_size = room ? room : 1;
    g->machine.apart_bytes = BATCH_BYTES / g->batch_size;
    g->batch = checked_alloc(g->batch_size * sizeof *g->batch);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int wanted = m->launch->threads > 0 ? m->launch->threads : (int)cores;
    if ((uint64_t)wanted > m->blocks)
        wanted = (int)m->blocks;
    if (wanted < 1)
        wanted = 1;
    if (wanted > 256)
        wanted = 256;
    pthread_mutex_init(&g->lock, NULL);
    pthread_cond_init(&g->go, NULL);
    pthread_cond_init(&g->over, NULL);
    g->workers = checked_alloc((size_t)wanted * sizeof *g->workers);
    for (g->threads = 1; g->threads < wanted; g->threads++)
        if (pthread_create(&g->workers[g->threads - 1], NULL, worker, g))
            break;
}

void batch_teardown(struct grid_run *g)
{
    pthread_mutex_lock(&g->lock);
    g->quit = true;
    pthread_cond_broadcast(&g->go);
    pthread_mutex_unlock(&g->lock);
    for (int k = 0; k < g->threads - 1; k++)
        pthread_join(g->workers[k], NULL);
    while (g->pool) {
        struct block *b = g->pool;
        g->pool = b->next;
        block_free(b);
    }
    while (g->bodies) {
        struct body *body = g->bodies;
        g->bodies = body->next;
        body_free(&g->machine, body);
    }
    free(g->workers);
    free(g->batch);
    pthread_mutex_destroy(&g->lock);
    pthread_cond_destroy(&g->go);
    pthread_cond_destroy(&g->over);
}
