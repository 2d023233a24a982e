/* The list of records: bounded, and equal rounds of a loop are one. */
#include "watch/counters_cost.h"
#include "watch/trace_state.h"

#include <string.h>

uint32_t trace_record_bytes(const struct trace_record *r)
{
    uint32_t lanes = cost_lanes(r->active), numbers = 0;
    if (r->value)
        numbers += lanes * (r->size > 4 ? r->size / 4 : 1);
    if (r->after)
        numbers += lanes;
    if (r->address && r->cost > 4) /* probably not in a row */
        numbers += lanes;
    return 90 + (r->source ? 3 * lanes : 0) + 11 * numbers;
}

struct trace_record *trace_new_record(struct tracing *t, const struct event *ev)
{
    struct trace *trace = &t->trace;
    struct traced_warp *w = &t->warps[ev->warp];
    if (w->last > w->sized) {
        w->bytes += trace_record_bytes(&trace->records[w->last]);
        w->sized = w->last;
    }
    if (w->records >= TRACE_RECORDS / (int)trace->warps ||
        w->bytes > TRACE_BYTES) {
        trace->is_cut = true;
        return NULL;
    }
    if (trace->record_count == t->capacity) {
        t->capacity = t->capacity ? 2 * t->capacity : 256;
        trace->records = checked_realloc(
            trace->records, (size_t)t->capacity * sizeof *trace->records);
    }
    struct trace_record *r = &trace->records[trace->record_count];
    *r = (struct trace_record){.kind = ev->kind,
                               .function = ev->function,
                               .insn = ev->insn,
                               .warp = ev->warp,
                               .active = ev->active,
                               .times = 1,
                               .opening = -1};
    r->instructions = w->instructions;
    r->thread_instructions = w->thread_instructions;
    w->instructions = w->thread_instructions = 0;
    w->last = trace->record_count++;
    w->records++;
    return r;
}

void trace_take_payload(struct tracing *t, struct trace_record *r)
{
    r->payload = t->free_payloads;
    if (r->payload)
        t->free_payloads = r->payload->next_free;
    else
        r->payload = arena_alloc(&t->arena, sizeof *r->payload);
}

/* ---- rounds ------------------------------------------------------------------*/

static bool same_lanes(const struct trace_record *a, const void *x,
                       const void *y, size_t bytes)
{
    if (!x || !y)
        return x == y;
    for (uint32_t m = a->active; m; m &= m - 1) {
        size_t at = (size_t)__builtin_ctz(m) * bytes;
        if (memcmp((const uint8_t *)x + at, (const uint8_t *)y + at, bytes))
            return false;
    }
    return true;
}

static bool same_record(const struct trace_record *a,
                        const struct trace_record *b)
{
    return a->kind == b->kind && a->insn == b->insn && a->warp == b->warp &&
           a->active == b->active && a->taken == b->taken && a->opening < 0 &&
           b->opening < 0 &&
           same_lanes(a, a->address, b->address, sizeof *a->address) &&
           same_lanes(a, a->value, b->value, a->size) &&
           same_lanes(a, a->after, b->after, a->size) &&
           same_lanes(a, a->source, b->source, 1);
}

static void drop_record(struct tracing *t, struct traced_warp *w)
{
    struct trace *trace = &t->trace;
    struct trace_record *r = &trace->records[--trace->record_count];
    if (w->sized == trace->record_count) {
        w->bytes -= trace_record_bytes(r);
        w->sized--;
    }
    w->records--;
    w->last = trace->record_count - 1;
    if (!r->payload)
        return;
    r->payload->next_free = t->free_payloads;
    t->free_payloads = r->payload;
}

void trace_join_rounds(struct tracing *t, struct traced_warp *w)
{
    struct trace *trace = &t->trace;
    for (int p = 1; p <= MAX_PERIOD && 2 * p <= trace->record_count; p++) {
        struct trace_record *now = &trace->records[trace->record_count - p];
        struct trace_record *before = now - p;
        int same = 0;
        while (same < p && now[same].warp == now[p - 1].warp &&
               same_record(&before[same], &now[same]))
            same++;
        if (same < p)
            continue;
        for (int k = 0; k < p; k++) {
            before[k].times += now[k].times;
            before[k].instructions += now[k].instructions;
            before[k].thread_instructions += now[k].thread_instructions;
        }
        for (int k = 0; k < p; k++)
            drop_record(t, w);
        return;
    }
}
