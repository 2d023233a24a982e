/* Words for refused accesses.  See bounds.h. */
#include "watch/bounds.h"

#include "watch/name.h"

#include <stdio.h>
#include <string.h>

/* Beyond this distance an address has nothing to do with the buffer. */
enum { NEAR = 1 << 19 };

/* One lane's refused access, in words. */
struct refused {
    const struct launch_info *info;
    const struct event *ev;
    uint64_t address;
    char place[200]; /* "in[1000], 4 bytes past its end" */
    const char *hint;
};

static const char *space_name(enum ptx_space space)
{
    switch (space) {
    case SPACE_SHARED: return "shared";
    case SPACE_LOCAL: return "local";
    case SPACE_CONST: return "constant";
    default: return "global";
    }
}

/* "in[1000]" or, for a vector, "in[998] to in[1001]". */
static int name_elements(char *to, size_t size, const char *name, int64_t at,
                         uint32_t bytes, uint32_t element)
{
    int64_t step = element ? element : 4;
    int64_t index = at >= 0 ? at / step : -((-at + step - 1) / step);
    int64_t last = index + (int64_t)bytes / step - 1;
    if (last <= index)
        return snprintf(to, size, "%s[%lld]", name, (long long)index);
    return snprintf(to, size, "%s[%lld] to %s[%lld]", name, (long long)index,
                    name, (long long)last);
}

/* ---- global memory --------------------------------------------------------*/

/* The buffer as the kernel knows it: the input may start inside one. */
struct array {
    const char *name;
    uint64_t start, bytes;
    uint32_t element;
    bool is_input;
};

static struct array array_of(const struct launch_info *info,
                             const struct buffer *buf)
{
    struct name_arguments a;
    struct array whole = {buf->name, buf->address, buf->bytes, buf->element,
                          false};
    if (buf->role != BUFFER_INPUT || !name_arguments(info, &a) ||
        a.in - buf->address > buf->bytes)
        return whole;
    return (struct array){buf->name, a.in, a.n * sizeof(float), sizeof(float),
                          true};
}

static const char *global_hint(const struct refused *r, const struct array *a,
                               int64_t at)
{
    const struct launch *l = r->info->launch;
    uint64_t threads = r->info->blocks * l->block[0];
    if (at < 0)
        return "an index below 0: a subtraction went too far, or 32 bits were "
               "not enough for it";
    if (!a->is_input)
        return "compare the index with the number of elements that the array "
               "has";
    if (r->ev->size > a->element && (uint64_t)at < a->bytes)
        return "a vector load takes several elements: the last ones, n % 4 of "
               "them, must be loaded one by one";
    if ((uint64_t)at / a->element < threads)
        return "there are more threads than elements: each load needs its own "
               "`if (index < n)`";
    return "every load needs its own `if (index < n)`, the second one of a "
           "thread, too";
}

static void describe_global(struct refused *r)
{
    const struct launch_info *info = r->info;
    const struct buffer *buf = memory_nearest(info->memory, r->address);
    if (!buf || r->address < 4096) {
        snprintf(r->place, sizeof r->place,
                 "address 0x%llx: a null pointer, or close to one",
                 (unsigned long long)r->address);
        r->hint = "is the pointer set before it is used?";
        return;
    }
    struct array a = array_of(info, buf);
    int64_t at = (int64_t)(r->address - a.start);
    int64_t past = at + (int64_t)r->ev->size - (int64_t)a.bytes;
    if (at < -(int64_t)NEAR || past > (int64_t)NEAR) {
        snprintf(r->place, sizeof r->place,
                 "address 0x%llx, far from every array (the nearest is %s)",
                 (unsigned long long)r->address, a.name);
        r->hint = "an index that is far too large: did 32-bit arithmetic "
                  "wrap, or was it never set?";
        return;
    }
    int n = name_elements(r->place, sizeof r->place, a.name, at, r->ev->size,
                          a.element);
    if (buf->freed)
        snprintf(r->place + n, sizeof r->place - (size_t)n,
                 " after it was freed");
    else if (at < 0)
        snprintf(r->place + n, sizeof r->place - (size_t)n,
                 ", %lld bytes before its start", (long long)-at);
    else
        snprintf(r->place + n, sizeof r->place - (size_t)n,
                 ", %lld bytes past its end (%s %llu element%s)",
                 (long long)past, a.is_input ? "n is" : "it has",
                 (unsigned long long)(a.bytes / a.element),
                 a.bytes == a.element ? "" : "s");
    r->hint = global_hint(r, &a, at);
}

/* ---- shared and local memory ----------------------------------------------*/

/* The array that the address most likely is meant for: the last one that
 * starts at or below it. */
static const struct shared_variable *
nearest_shared(const struct launch_info *info, uint64_t address)
{
    const struct shared_variable *best = NULL;
    for (int i = 0; i < info->shared_count; i++) {
        const struct shared_variable *v = &info->shared[i];
        if (v->at <= address && (!best || v->at >= best->at))
            best = v;
    }
    return best;
}

static void describe_shared(struct refused *r)
{
    const struct launch_info *info = r->info;
    uint32_t total = info->shared_bytes, size = r->ev->size;
    const struct shared_variable *v = nearest_shared(info, r->address);
    uint32_t threads = info->threads_per_block;
    r->hint = "the array must have a word for every index that is used; the "
              "launch gives the dynamic array its bytes";
    if ((int32_t)r->address < 0 || r->address > (uint64_t)total + NEAR) {
        snprintf(r->place, sizeof r->place,
                 "byte %lld of shared memory, which has %u bytes",
                 (long long)(int32_t)r->address, total);
        r->hint = "an index below 0, or one that is far too large";
        return;
    }
    if (!v) {
        snprintf(r->place, sizeof r->place,
                 "byte %llu of shared memory, which has %u bytes",
                 (unsigned long long)r->address, total);
        return;
    }
    char name[120];
    name_place(info, SPACE_SHARED, v->at, name, sizeof name);
    uint64_t words =
        v->variable->is_extern ? (total - v->at) / 4 : v->bytes / 4;
    int n = name_elements(r->place, sizeof r->place,
                          (name[strcspn(name, "[")] = '\0', name),
                          (int64_t)(r->address - v->at), size, 4);
    snprintf(r->place + n, sizeof r->place - (size_t)n,
             ", %llu bytes past its end (it has %llu words, the block %u "
             "threads)",
             (unsigned long long)(r->address + size - total),
             (unsigned long long)words, threads);
}

static void describe_local(struct refused *r)
{
    snprintf(r->place, sizeof r->place,
             "byte %lld of the thread's own array, outside of it",
             (long long)(int32_t)r->address);
    r->hint = "an index beyond a local array";
}

/* ---- the event ------------------------------------------------------------*/

static void describe_inside(struct refused *r)
{
    const struct buffer *buf = memory_find(r->info->memory, r->address);
    if (r->ev->space != SPACE_GLOBAL || !buf) {
        name_place(r->info, r->ev->space, r->address, r->place,
                   sizeof r->place);
        return;
    }
    struct array a = array_of(r->info, buf);
    name_elements(r->place, sizeof r->place, a.name,
                  (int64_t)(r->address - a.start), r->ev->size, a.element);
}

static void describe(struct refused *r)
{
    if (r->ev->fault != FAULT_BOUNDS)
        describe_inside(r);
    else if (r->ev->space == SPACE_SHARED)
        describe_shared(r);
    else if (r->ev->space == SPACE_LOCAL)
        describe_local(r);
    else
        describe_global(r);
}

static void say(struct teller *t, struct teller_block *b,
                const struct event *ev, struct finding *f, uint64_t count)
{
    struct refused r = {.info = t->info, .ev = ev};
    int lane = __builtin_ctz(ev->active);
    char thread[80];
    const char *verb = ev->is_atomic  ? "updates"
                       : ev->is_write ? "writes"
                                      : "reads";
    r.address = ev->address[lane];
    describe(&r);
    name_thread(t->info, ev->warp * WARP_LANES + (uint32_t)lane, thread,
                sizeof thread);
    unsigned long long block = (unsigned long long)b->block;
    if (ev->fault == FAULT_MISALIGNED)
        teller_say(b, f, count,
                   "a GPU stops the whole program here; check the alignment "
                   "first, and load single elements up to it",
                   "%s %s %u bytes at once at %s, whose address is no "
                   "multiple of %u (block %llu)",
                   thread, verb, ev->size, r.place, ev->size, block);
    else if (ev->fault == FAULT_READ_ONLY)
        teller_say(b, f, count,
                   "the input must be as it was after the kernel; use shared "
                   "memory for what is in between",
                   "%s %s %s, which a kernel must not change (block %llu)",
                   thread, verb, r.place, block);
    else
        teller_say(b, f, count, r.hint, "%s %s %s (block %llu)", thread, verb,
                   r.place, block);
}

static void on_fault(struct watcher *watcher, void *state,
                     const struct event *ev)
{
    struct teller *t = (struct teller *)watcher;
    struct teller_block *b = state;
    static const char *const kinds[] = {
        [FAULT_BOUNDS] = "out-of-bounds",
        [FAULT_MISALIGNED] = "misaligned",
        [FAULT_READ_ONLY] = "input-written",
    };
    uint64_t count = (uint64_t)__builtin_popcount(ev->active);
    struct finding f = teller_place(kinds[ev->fault], ev, NULL);
    f.space = space_name(ev->space);
    if (!teller_again(b, &f, count))
        say(t, b, ev, &f, count);
}

struct watcher *bounds_watcher(struct finding_list *list)
{
    return teller_new(sizeof(struct teller), sizeof(struct teller_block),
                      "bounds", WANTS(EVENT_FAULT), on_fault, list);
}
