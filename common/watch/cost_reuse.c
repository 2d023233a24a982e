/* What comes from the L2, because somebody has read it before.
 *
 * Of the grid only the samples' accesses are known.  What a sample reads again,
 * or one before it has read, hits.  What all the other blocks have read is an
 * estimate, by capture and recapture: of the places that few samples read, how
 * many did two of them read, not one?  That says how likely a block reads such
 * a place (heterogeneous ones are left out: what many samples read is known to
 * be shared), and so how often in the whole grid, of which only the first is a
 * miss.  Good for what is scattered; what is read in a row meets nobody,
 * but for what others stored and a fence waited for. */
#include "watch/cost_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a sample reads ---------------------------------------------------------*/

enum { MOST = sizeof(((struct cost_block *)0)->places) / sizeof(uint64_t) };

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint32_t sort_once(uint64_t *list, uint32_t count)
{
    uint32_t kept = 0;
    qsort(list, count, sizeof *list, by_number);
    for (uint32_t i = 0; i < count; i++)
        if (!kept || list[i] != list[kept - 1])
            list[kept++] = list[i];
    return kept;
}

/* A list that fills up keeps the lower half of the numbers, which are hashes:
 * a fair part of the places. */
void note_place(struct cost_block *b, uint64_t place)
{
    uint64_t number = (place + 1) * 0x9e3779b97f4a7c15u;
    if (!b->places_met++ || place < b->place_low)
        b->place_low = place;
    if (place > b->place_high)
        b->place_high = place;
    number ^= number >> 32;
    number *= 0xd6e8feb86659fd93u;
    if (b->places_shift < 64 && number >> b->places_shift)
        return;
    b->places[b->place_count++] = number;
    while (b->place_count == MOST) {
        b->place_count = sort_once(b->places, MOST);
        if (b->place_count <= MOST / 2)
            break;
        b->places_shift--;
        while (b->place_count &&
               b->places[b->place_count - 1] >> b->places_shift)
            b->place_count--;
    }
}

/* ---- what others have read -------------------------------------------------------*/

struct sharing {
    double by[COST_SAMPLES + 1]; /* places that so many samples read */
    double part;                 /* of all places, that are in the lists */
};

static void count_sharing(struct cost *c, struct sharing *s)
{
    uint64_t *all = checked_alloc(MOST * COST_SAMPLES * sizeof *all);
    uint32_t count = 0;
    int shift = 64;

    for (int b = 0; b < c->sample_count; b++)
        if (c->samples[b].places_shift < shift)
            shift = c->samples[b].places_shift;
    for (int b = 0; b < c->sample_count; b++) {
        struct cost_block *one = &c->samples[b];
        one->place_count = sort_once(one->places, one->place_count);
        for (uint32_t i = 0; i < one->place_count; i++)
            if (shift == 64 || !(one->places[i] >> shift))
                all[count++] = one->places[i];
    }
    qsort(all, count, sizeof *all, by_number);
    for (uint32_t i = 0, same; i < count; i += same) {
        for (same = 1; i + same < count && all[i + same] == all[i];)
            same++;
        s->by[same]++;
    }
    s->part = ldexp(1, shift - 64);
    free(all);
}

/* Samples too small to meet in one place by chance say nothing.  If each lies
 * all over the range of all, and sparsely, it is as good as random: how likely
 * is it that a block reads a place of the range?  0: it is not like that. */
static double likely_by_range(const struct cost *c)
{
    uint64_t low = UINT64_MAX, high = 0;
    double met = 0, k = c->sample_count;

    for (int b = 0; b < c->sample_count; b++) {
        const struct cost_block *one = &c->samples[b];
        if (!one->places_met)
            return 0;
        met += (double)one->places_met / k;
        low = one->place_low < low ? one->place_low : low;
        high = one->place_high > high ? one->place_high : high;
    }
    double range = (double)(high - low) + 1;
    for (int b = 0; b < c->sample_count; b++) {
        const struct cost_block *one = &c->samples[b];
        if ((double)(one->place_high - one->place_low) < range / 2)
            return 0;
    }
    double by_chance = k * (k - 1) / 2 * met * met / range;
    return by_chance < 4 ? met / range : 0;
}

/* How likely a scattered access is the first to its place. */
struct first {
    double rare;  /* it reads what few blocks do */
    double reads; /* expected, of all blocks, of one such place */
    double fits;  /* share of all that the L2 holds */
};

static struct first find_first(struct cost *c)
{
    struct sharing s = {0};
    struct first f = {.rare = 1, .fits = 1};
    double k = c->sample_count, blocks = (double)c->info->blocks, reads = 0;

    if (blocks <= k)
        return f;
    count_sharing(c, &s);
    for (int j = 1; j <= c->sample_count; j++)
        reads += j * s.by[j];
    if (reads > 0)
        f.rare = (s.by[1] + 2 * s.by[2]) / reads;
    if (s.by[2] <= 0) {
        f.reads = blocks * likely_by_range(c);
        return f;
    }
    /* by[2] / by[1] = (k - 1) / 2 * q / (1 - q) */
    double odds = 2 * s.by[2] / (s.by[1] + 1) / (k - 1);
    double likely = odds / (1 + odds);
    double places = s.by[1] / (k * likely * pow(1 - likely, k - 1)) / s.part;
    f.reads = blocks * likely;
    if (places * 64 > (double)c->gpu->l2_bytes)
        f.fits = (double)c->gpu->l2_bytes / (places * 64);
    return f;
}

/* When the share `done` of the grid's work is over. */
static double first_at(const struct first *f, double done)
{
    return f->rare * (1 - f->fits * (1 - exp(-f->reads * done)));
}

/* ---- both ------------------------------------------------------------------------*/

/* Some of the pairs of sectors, as likely as `first` each. */
static void draw(struct cost_step *s, double first, uint64_t *draws)
{
    uint32_t each = s->is_store ? 1 : 2;
    uint32_t pairs = s->dram_sectors / each, missing = 0;
    for (uint32_t k = 0; k < pairs; k++) {
        uint64_t number = ++*draws * 0x9e3779b97f4a7c15u;
        missing += (double)(number >> 32) < first * 0x1p32;
    }
    if (pairs)
        s->dram_lines =
            (uint8_t)((s->dram_lines * missing + pairs - 1) / pairs);
    s->dram_sectors = (uint8_t)(each * missing);
}

/* Where an instruction stores in the samples, first and last sector: what all
 * blocks store there lies in between. */
struct stored {
    uint64_t low, high;
};

/* By op; low > high where one does not store. */
static struct stored *find_stored(const struct cost *c)
{
    struct stored *all = checked_alloc((c->op_count + 1) * sizeof *all);
    for (uint32_t op = 0; op < c->op_count; op++)
        all[op] = (struct stored){UINT64_MAX, 0};
    for (int b = 0; b < c->sample_count; b++)
        for (uint32_t i = 0; i < c->warps; i++)
            for (uint32_t k = 0; k < c->samples[b].warps[i].count; k++) {
                const struct cost_step *one = &c->samples[b].warps[i].steps[k];
                struct stored *s = &all[one->op];
                if (one->pipe != PIPE_GLOBAL || !one->is_store || one->is_local)
                    continue;
                s->low = one->address < s->low ? one->address : s->low;
                s->high = one->address > s->high ? one->address : s->high;
            }
    return all;
}

static bool is_stored(const struct cost *c, const struct stored *all,
                      uint64_t address)
{
    for (uint32_t op = 0; op < c->op_count; op++)
        if (address >= all[op].low && address <= all[op].high)
            return true;
    return false;
}

/* Who waits with a fence for what others have stored finds it in the L2. */
static bool has_fence(const struct cost *c, const struct cost_block *b)
{
    for (uint32_t i = 0; i < c->warps; i++)
        for (uint32_t k = 0; k < b->warps[i].count; k++)
            if (b->warps[i].steps[k].pipe == PIPE_FENCE)
                return true;
    return false;
}

void find_reuse(struct cost *c)
{
    struct stored *stored = find_stored(c);
    uint32_t size = 1 << 16;
    uint64_t *seen = checked_alloc(size * sizeof *seen), draws = 0;
    const struct first first = find_first(c);
    double blocks = (double)c->info->blocks;
    double waves = blocks / ((double)c->gpu->sms * c->result.resident);
    if (waves < 1)
        waves = 1;

    for (int b = 0; b < c->sample_count; b++) {
        bool waits = has_fence(c, &c->samples[b]);
        double before = (1 - 1 / waves) * (double)c->samples[b].index / blocks;
        for (uint32_t i = 0; i < c->warps; i++) {
            struct cost_warp *w = &c->samples[b].warps[i];
            for (uint32_t k = 0; k < w->count; k++) {
                struct cost_step *s = &w->steps[k];
                if (s->pipe != PIPE_GLOBAL || !s->dram_sectors ||
                    (s->is_store && !s->dram_lines))
                    continue;
                if (waits && !s->is_store && is_stored(c, stored, s->address)) {
                    s->dram_sectors = 0;
                    continue;
                }
                if (s->dram_lines) {
                    double done = before + (k + 0.5) / w->count / waves;
                    draw(s, first_at(&first, done), &draws);
                    continue;
                }
                uint64_t line = s->address + 1;
                uint64_t *slot = &seen[(line * 0x9e3779b97f4a7c15u) >> 48];
                if (*slot == line)
                    s->dram_sectors = 0;
                *slot = line;
            }
        }
    }
    free(stored);
    free(seen);
}
