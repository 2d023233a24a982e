/* The values of a recorded block: what loads read, stores write, atomics bring.
 * Accesses are told before memory changes; a value that is not told is read
 * from memory at the block's next event. */
#include "watch/trace_state.h"

#include <string.h>

static const uint8_t *host_bytes(struct tracing *t, uint64_t address,
                                 uint32_t size)
{
    const struct buffer *b = memory_find(t->info->memory, address);
    if (!b || b->freed || address - b->address > b->bytes - size ||
        b->bytes < size)
        return NULL;
    return b->data + (address - b->address);
}

static bool read_shared(struct tracing *t, const struct event *ev,
                        const struct trace_record *r, uint8_t *to)
{
    if (!ev->shared)
        return false;
    for (uint32_t m = r->active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        uint64_t at = r->address[i];
        if (at > t->info->shared_bytes || t->info->shared_bytes - at < r->size)
            memset(to + (size_t)i * r->size, 0xff, r->size);
        else
            memcpy(to + (size_t)i * r->size, ev->shared + at, r->size);
    }
    return true;
}

static bool read_global(struct tracing *t, const struct trace_record *r,
                        uint8_t *to)
{
    for (uint32_t m = r->active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        const uint8_t *from = host_bytes(t, r->address[i], r->size);
        if (from)
            memcpy(to + (size_t)i * r->size, from, r->size);
        else
            memset(to + (size_t)i * r->size, 0xff, r->size);
    }
    return true;
}

void trace_take_lanes(uint8_t *to, const void *from, uint32_t size,
                      uint32_t width)
{
    for (uint32_t i = 0; i < WARP_LANES; i++)
        memcpy(to + (size_t)i * size, (const uint8_t *)from + (size_t)i * width,
               size);
}

void trace_read_waiting(struct tracing *t, const struct event *ev)
{
    if (t->waiting < 0)
        return;
    struct trace_record *r = &t->trace.records[t->waiting];
    bool is_atomic = r->kind == EVENT_ATOMIC;
    uint8_t *to = is_atomic ? r->payload->after : r->payload->value;
    t->waiting = -1;
    if (!read_shared(t, ev, r, to))
        return;
    *(is_atomic ? &r->after : &r->value) = to;
}

void trace_note_value(struct tracing *t, const struct event *ev,
                      struct trace_record *r)
{
    uint8_t *to = r->payload->value;
    bool is_shared = r->space == SPACE_SHARED;
    if (r->size > MAX_BYTES)
        return;
    if (r->kind == EVENT_LOAD) {
        bool has = is_shared                  ? read_shared(t, ev, r, to)
                   : r->space == SPACE_GLOBAL ? read_global(t, r, to)
                                              : false;
        r->value = has ? to : NULL;
    } else if (r->kind == EVENT_STORE && ev->value && r->size <= 8) {
        trace_take_lanes(to, ev->value, r->size, 8);
        r->value = to;
    } else if (r->kind == EVENT_ATOMIC && ev->operand && r->size <= 8) {
        trace_take_lanes(to, ev->operand, r->size, r->size == 8 ? 8 : 4);
        r->value = to;
    }
    bool is_store = r->kind == EVENT_STORE && !r->value;
    bool is_atomic = r->kind == EVENT_ATOMIC && r->size <= 8;
    if (is_shared && (is_store || is_atomic))
        t->waiting = (int)(r - t->trace.records);
}
