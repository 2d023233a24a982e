/* Words for refused accesses.  See bounds.h. */
#include "watch/bounds.h"

#include "ptx/origin.h"
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

/* An array as the kernel knows it: the input may start inside a buffer. */
struct array {
    char name[70];
    uint64_t start, bytes;
    uint32_t element;
    bool is_input;
};

static struct array array_of(const struct launch_info *info,
                             const struct buffer *buf)
{
    struct name_arguments a;
    struct array array = {
        .start = buf->address, .bytes = buf->bytes, .element = buf->element};
    snprintf(array.name, sizeof array.name, "%s", buf->name);
    if (buf->role != BUFFER_INPUT || !name_arguments(info, &a) ||
        a.in - buf->address > buf->bytes)
        return array;
    array.start = a.in;
    array.bytes = a.n * sizeof(float);
    array.element = sizeof(float);
    array.is_input = true;
    return array;
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

static struct array shared_array(const struct launch_info *info,
                                 const struct shared_variable *v)
{
    struct array array = {
        .start = v->at,
        .bytes = v->variable->is_extern ? info->shared_bytes - v->at : v->bytes,
        .element = v->element};
    int length;
    const char *name = ptx_source_name(v->variable->name, &length);
    snprintf(array.name, sizeof array.name, "%.*s", length, name);
    return array;
}

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
    struct array a = shared_array(info, v);
    int n = name_elements(r->place, sizeof r->place, a.name,
                          (int64_t)(r->address - a.start), size, a.element);
    snprintf(r->place + n, sizeof r->place - (size_t)n,
             ", %llu bytes past its end (it has %llu element%s, the block %u "
             "threads)",
             (unsigned long long)(r->address + size - total),
             (unsigned long long)(a.bytes / a.element),
             a.bytes == a.element ? "" : "s", threads);
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

static const char *verb(const struct event *ev)
{
    return ev->is_atomic ? "updates" : ev->is_write ? "writes" : "reads";
}

static void say(struct teller *t, struct teller_block *b,
                const struct event *ev, struct finding *f, uint64_t count)
{
    struct refused r = {.info = t->info, .ev = ev};
    int lane = __builtin_ctz(ev->active);
    char thread[80];
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
                   thread, verb(ev), ev->size, r.place, ev->size, block);
    else if (ev->fault == FAULT_READ_ONLY)
        teller_say(b, f, count,
                   "the input must be as it was after the kernel; use shared "
                   "memory for what is in between",
                   "%s %s %s, which a kernel must not change (block %llu)",
                   thread, verb(ev), r.place, block);
    else
        teller_say(b, f, count, r.hint, "%s %s %s (block %llu)", thread,
                   verb(ev), r.place, block);
}

/* ---- from one shared array into another -------------------------------------*/

/* Memory refuses nothing here, neither ours nor a GPU's; but the program's text
 * says for which array the address was made (ptx/origin.h). */
struct bounds {
    struct teller base; /* first */
    struct arena arena;
    /* function -> instruction -> the array it is meant for, or NULL; NULL: no
     * two arrays that could be mixed up */
    const struct shared_variable ***meant;
};

static const struct shared_variable *find_shared(const struct launch_info *info,
                                                 const struct ptx_variable *v)
{
    for (int i = 0; v && i < info->shared_count; i++)
        if (info->shared[i].variable == v)
            return &info->shared[i];
    return NULL;
}

static const struct shared_variable **find_meant(struct bounds *w,
                                                 const struct ptx_function *f)
{
    size_t count = (size_t)f->insn_count + 1;
    const struct shared_variable **meant =
        arena_array(&w->arena, count, sizeof *meant);
    const struct ptx_variable **origins = ptx_origins(&w->arena, f);
    for (int i = 0; i < f->insn_count; i++)
        meant[i] = find_shared(w->base.info, origins[i]);
    return meant;
}

static const struct shared_variable *meant_for(const struct bounds *w,
                                               const struct event *ev)
{
    const struct launch_info *info = w->base.info;
    int k = 0;
    while (k < info->function_count && info->functions[k] != ev->function)
        k++;
    return k < info->function_count
               ? w->meant[k][ev->insn - ev->function->insns]
               : NULL;
}

/* Lanes that are inside shared memory, but not in their array. */
static uint32_t strayed(const struct launch_info *info, const struct event *ev,
                        const struct array *a)
{
    uint32_t lanes = 0;
    uint64_t end = a->start + a->bytes;
    for (uint32_t m = ev->active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        uint64_t at = ev->address[i];
        if ((at < a->start || at + ev->size > end) &&
            at + ev->size <= info->shared_bytes)
            lanes |= 1u << i;
    }
    return lanes;
}

static void say_strayed(struct teller *t, struct teller_block *b,
                        const struct event *ev, const struct array *a,
                        uint32_t lanes)
{
    char thread[80], at[200], met[120], distance[80];
    int lane = __builtin_ctz(lanes);
    int64_t from = (int64_t)(ev->address[lane] - a->start);
    struct finding f = teller_place("out-of-bounds", ev, NULL);
    uint64_t count = (uint64_t)__builtin_popcount(lanes);
    f.space = "shared";
    if (teller_again(b, &f, count))
        return;
    name_thread(t->info, ev->warp * WARP_LANES + (uint32_t)lane, thread,
                sizeof thread);
    name_elements(at, sizeof at, a->name, from, ev->size, a->element);
    name_place(t->info, SPACE_SHARED, ev->address[lane], met, sizeof met);
    if (from < 0)
        snprintf(distance, sizeof distance, "%lld bytes before its start",
                 (long long)-from);
    else
        snprintf(distance, sizeof distance,
                 "%lld bytes past its end (it has %llu element%s)",
                 (long long)(from + ev->size - (int64_t)a->bytes),
                 (unsigned long long)(a->bytes / a->element),
                 a->bytes == a->element ? "" : "s");
    teller_say(b, &f, count,
               "the index leaves one shared array and meets another one; a GPU "
               "does not notice, it reads or writes what lies there",
               "%s %s %s, %s: that is %s (block %llu)", thread, verb(ev), at,
               distance, met, (unsigned long long)b->block);
}

static void look_for_strays(struct bounds *w, struct teller_block *b,
                            const struct event *ev)
{
    const struct launch_info *info = w->base.info;
    const struct shared_variable *v =
        ev->space == SPACE_SHARED ? meant_for(w, ev) : NULL;
    if (!v)
        return;
    struct array a = shared_array(info, v);
    uint32_t lanes = strayed(info, ev, &a);
    if (lanes)
        say_strayed(&w->base, b, ev, &a, lanes);
}

/* ---- the watcher --------------------------------------------------------------*/

static void on_event(struct watcher *watcher, void *state,
                     const struct event *ev)
{
    struct teller *t = (struct teller *)watcher;
    struct teller_block *b = state;
    if (ev->kind != EVENT_FAULT) {
        look_for_strays((struct bounds *)watcher, b, ev);
        return;
    }
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

static void begin(struct watcher *watcher, const struct launch_info *info)
{
    struct bounds *w = (struct bounds *)watcher;
    size_t count = (size_t)info->function_count;
    teller_begin(watcher, info);
    watcher->wants = WANTS(EVENT_FAULT);
    if (info->shared_count < 2)
        return;
    w->meant = arena_array(&w->arena, count, sizeof *w->meant);
    for (size_t k = 0; k < count; k++)
        w->meant[k] = find_meant(w, info->functions[k]);
    watcher->wants |=
        WANTS(EVENT_LOAD) | WANTS(EVENT_STORE) | WANTS(EVENT_ATOMIC);
}

static void end(struct watcher *watcher)
{
    struct bounds *w = (struct bounds *)watcher;
    arena_free(&w->arena);
    w->meant = NULL;
    teller_end(watcher);
}

struct watcher *bounds_watcher(struct finding_list *list)
{
    struct bounds *w = teller_new(sizeof *w, sizeof(struct teller_block),
                                  "bounds", WANTS(EVENT_FAULT), on_event, list);
    w->base.watcher.begin = begin;
    w->base.watcher.end = end;
    return &w->base.watcher;
}
