/* See pieces.h. */
#include "lab/pieces.h"
#include "base/arena.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { PIECE_FLOATS = 1 << 24, MAX_MAKERS = 32, SMALL = 1 << 16 };

/* What one thread makes of a piece. */
struct maker {
    enum data_kind kind;
    uint64_t seed, n, from, count;
    float *out;
    struct exact_sum sum;
};

static void *make(void *data)
{
    struct maker *m = data;
    data_fill(m->kind, m->seed, m->n, m->from, m->count, m->out);
    exact_add(&m->sum, m->out, m->count);
    return NULL;
}

static void join(struct exact_sum *sum, const struct exact_sum *more)
{
    for (size_t i = 0; i < sizeof sum->bins / sizeof *sum->bins; i++)
        sum->bins[i] += more->bins[i];
    sum->nans += more->nans;
    sum->plus_infs += more->plus_infs;
    sum->minus_infs += more->minus_infs;
    sum->count += more->count;
}

static void make_piece(const struct maker *all, int makers,
                       struct exact_sum *sum)
{
    struct maker part[MAX_MAKERS];
    pthread_t thread[MAX_MAKERS];
    bool is_started[MAX_MAKERS];

    for (int k = 0; k < makers; k++) {
        uint64_t first = all->count * (uint64_t)k / (uint64_t)makers;
        uint64_t end = all->count * (uint64_t)(k + 1) / (uint64_t)makers;
        part[k] = *all;
        part[k].from = all->from + first;
        part[k].count = end - first;
        part[k].out = all->out + first;
        is_started[k] =
            k > 0 && pthread_create(&thread[k], NULL, make, &part[k]) == 0;
    }
    for (int k = 0; k < makers; k++) {
        if (is_started[k])
            pthread_join(thread[k], NULL);
        else
            make(&part[k]);
        join(sum, &part[k].sum);
    }
}

/* As many as are worth it. */
static int makers_for(uint64_t n)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return n < SMALL || cores < 1 ? 1
           : cores > MAX_MAKERS   ? MAX_MAKERS
                                  : (int)cores;
}

void pieces_fill(enum data_kind kind, uint64_t seed, uint64_t n, float *out,
                 struct exact_sum *sum)
{
    const struct maker all = {
        .kind = kind, .seed = seed, .n = n, .count = n, .out = out};
    make_piece(&all, makers_for(n), sum);
}

bool pieces_upload(struct device *device, struct device_buffer *buffer,
                   uint64_t at, enum data_kind kind, uint64_t seed, uint64_t n,
                   struct exact_sum *sum, struct error *e)
{
    uint64_t most = n < PIECE_FLOATS ? n : PIECE_FLOATS;
    float *piece = checked_alloc(most * sizeof *piece + 1);
    int makers = makers_for(n);
    bool ok = true;

    for (uint64_t from = 0; ok && from < n; from += most) {
        uint64_t count = n - from < most ? n - from : most;
        const struct maker all = {.kind = kind,
                                  .seed = seed,
                                  .n = n,
                                  .from = from,
                                  .count = count,
                                  .out = piece};
        make_piece(&all, makers, sum);
        ok = device->ops->upload(device, buffer, at + from * sizeof *piece,
                                 piece, count * sizeof *piece, e);
    }
    free(piece);
    return ok;
}
