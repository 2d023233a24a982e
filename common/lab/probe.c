/* Counting how often each element is added.  See probe.h. */
#include "lab/probe.h"

#include <math.h>
#include <string.h>

enum { GROUP = 8, MOST_COUNTED = 2048 };

struct prober {
    probe_run *run;
    void *data;
    float *in;
    uint64_t n;
    struct probe *p;
};

static bool run_once(struct prober *r, float *out)
{
    r->p->runs++;
    return r->run(r->data, r->in, r->n, out);
}

/* A sum of counters is a whole number that a float holds exactly. */
static bool is_count(float value)
{
    return value >= 0 && value < 0x1p24f && value == truncf(value);
}

static void note_count(struct probe *p, uint64_t index, uint32_t times)
{
    if (times == 1)
        return;
    if (!p->is_proven) {
        p->is_proven = true;
        p->index = index;
        p->times = times;
    }
    p->missing += times == 0;
    p->doubled += times > 1;
}

static bool count_alone(struct prober *r, uint64_t index)
{
    float out;

    r->in[index] = 1;
    bool ok = run_once(r, &out) && is_count(out);
    r->in[index] = 0;
    if (ok)
        note_count(r->p, index, (uint32_t)out);
    return ok;
}

/* Eight counters in one run: 1, 8, 64 ... in eight elements, 0 elsewhere.
 * Counters of 8 and more would spill into the next digit, so whatever is not
 * eight times 1 is asked for one by one: that is the proof. */
static bool count_group(struct prober *r, uint64_t from)
{
    uint64_t count = r->n - from < GROUP ? r->n - from : GROUP;
    float out = 0, weight = 1, all_once = 0;

    for (uint64_t k = 0; k < count; k++, weight *= 8) {
        r->in[from + k] = weight;
        all_once += weight;
    }
    bool ok = run_once(r, &out);
    memset(r->in + from, 0, count * sizeof *r->in);
    if (!ok || out == all_once)
        return ok;
    for (uint64_t k = 0; ok && k < count; k++)
        ok = count_alone(r, from + k);
    return ok;
}

static void count_all(struct prober *r)
{
    bool ok = true;

    memset(r->in, 0, r->n * sizeof *r->in);
    for (uint64_t from = 0; ok && from < r->n; from += GROUP)
        ok = count_group(r, from);
    if (!ok)
        r->p->is_proven = false;
    r->p->is_first = r->p->is_proven;
}

/* What comes out for 1 in the first m elements; m if all are added once. */
static bool sum_of_first(struct prober *r, uint64_t m, float *out)
{
    for (uint64_t i = 0; i < r->n; i++)
        r->in[i] = i < m ? 1.0f : 0.0f;
    return run_once(r, out) && is_count(*out);
}

/* right: sum_of_first is m there; wrong: it is not.  Neighbours in the end. */
static void search(struct prober *r)
{
    uint64_t right = 0, wrong = r->n < 1 << 23 ? r->n : 1 << 23;
    float at_right = 0, at_wrong, out;

    if (!sum_of_first(r, wrong, &at_wrong) || at_wrong == (float)wrong)
        return;
    while (wrong - right > 1) {
        uint64_t middle = right + (wrong - right) / 2;
        if (!sum_of_first(r, middle, &out))
            return;
        if (out == (float)middle) {
            right = middle;
            at_right = out;
        } else {
            wrong = middle;
            at_wrong = out;
        }
    }
    if (at_wrong < at_right)
        return; /* not a count: the kernel does not just add */
    note_count(r->p, right, (uint32_t)(at_wrong - at_right));
}

struct probe probe_elements(probe_run *run, void *data, float *scratch,
                            uint64_t n)
{
    struct probe p = {0};
    struct prober r = {run, data, scratch, n, &p};
    float out;

    memset(scratch, 0, n * sizeof *scratch);
    if (n == 0 || !run_once(&r, &out))
        return p;
    p.constant = out;
    if (out != 0) /* NaN, too */
        return p;
    if (n <= MOST_COUNTED)
        count_all(&r);
    else
        search(&r);
    return p;
}
