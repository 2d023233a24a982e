/* What the recorder keeps while a launch runs; for trace*.c. */
#ifndef WATCH_TRACE_STATE_H
#define WATCH_TRACE_STATE_H

#include "base/arena.h"
#include "watch/trace.h"

enum { MAX_WARPS = 32, FRESH = 64, MAX_BYTES = 32, MAX_PERIOD = 6 };

/* The arrays of a record: of 32 lanes with MAX_BYTES each at most. */
struct trace_payload {
    uint64_t address[WARP_LANES];
    uint8_t value[WARP_LANES * MAX_BYTES];
    uint8_t after[WARP_LANES * 8];
    uint8_t source[WARP_LANES];
    struct trace_payload *next_free;
};

struct traced_warp {
    uint64_t instructions, thread_instructions; /* of no record yet */
    int fresh[FRESH]; /* records whose run is not told yet */
    int fresh_count;
    int last; /* record, -1 none */
    int records;
    uint32_t bytes; /* of its records up to `sized`, as JSON */
    int sized;
};
/* Of any block: what it sends to global memory. */
struct traced_block {
    uint64_t lanes;
    bool is_traced;
    struct traced_block *next_free;
};
struct tracing {
    struct watcher watcher; /* first */
    const struct launch_info *info;
    struct arena arena;
    struct trace trace;
    int capacity;
    struct traced_warp warps[MAX_WARPS];
    struct traced_block own;
    struct traced_block *free_blocks;
    struct trace_payload *free_payloads;
    int waiting; /* record whose value is read at the next event, -1 none */
    int opening; /* barriers opened so far, less one */
    bool was_opening;
    int opening_barrier;
    uint32_t opening_warp;
};

/* ---- trace_record.c --------------------------------------------------------*/

/* A record of the event's warp at the end of the list; NULL: the warp has made
 * its share. */
struct trace_record *trace_new_record(struct tracing *, const struct event *);
/* Gives a record its arrays. */
void trace_take_payload(struct tracing *, struct trace_record *);
/* A branch ends a round of a loop: if the last records say the same as those
 * before them, they become one with these. */
void trace_join_rounds(struct tracing *, struct traced_warp *);

/* ---- trace_value.c ---------------------------------------------------------*/

/* The values of an access, from what the event tells or from memory. */
void trace_note_value(struct tracing *, const struct event *,
                      struct trace_record *);
/* The low `size` bytes of 32 numbers of `width` bytes. */
void trace_take_lanes(uint8_t *to, const void *from, uint32_t size,
                      uint32_t width);
/* A store or an atomic that was told before has happened by now. */
void trace_read_waiting(struct tracing *, const struct event *);

#endif
