/* Buffers of global memory by rising address; see memory.h. */
#include "sim/memory.h"
#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Far enough apart that an index that is off by a little never lands in the
 * next buffer. */
#define GAP (1u << 20)

void memory_init(struct memory *m)
{
    memset(m, 0, sizeof *m);
    m->next = GLOBAL_BASE;
}

void memory_clear(struct memory *m)
{
    for (int i = 0; i < m->count; i++) {
        free(m->buffers[i]->mapped);
        free((char *)m->buffers[i]->name);
        free(m->buffers[i]);
    }
    free(m->buffers);
    memory_init(m);
}

/* Takes the next addresses.  Addresses only rise, so the list stays sorted
 * and a freed buffer's addresses are never given to another. */
static struct buffer *place_buffer(struct memory *m, const char *name,
                                   uint64_t bytes, enum buffer_role role)
{
    if (m->count == m->capacity) {
        m->capacity = m->capacity ? 2 * m->capacity : 16;
        m->buffers = checked_realloc(m->buffers,
                                     (size_t)m->capacity * sizeof *m->buffers);
    }
    struct buffer *b = checked_alloc(sizeof *b);
    size_t length = strlen(name) + 1;
    char *copy = checked_alloc(length);
    memcpy(copy, name, length);
    b->name = copy;
    b->address = m->next;
    b->bytes = bytes;
    b->element = 4;
    b->role = role;
    m->next += (bytes + 2 * GAP - 1) / GAP * GAP + GAP;
    m->buffers[m->count++] = b;
    return b;
}

enum { ALIGN = 64, MAX_ZEROED = 1 << 30 };

static struct buffer *too_large(const char *name, uint64_t bytes,
                                struct error *e)
{
    error_set(e, "not enough memory for %s: %llu bytes wanted", name,
              (unsigned long long)bytes);
    return NULL;
}

struct buffer *memory_add(struct memory *m, const char *name, uint64_t bytes,
                          enum buffer_role role, struct error *e)
{
    uint8_t *data = NULL;
    size_t size = (size_t)bytes + ALIGN;
    if (bytes > SIZE_MAX / 2 || !(data = large_alloc(size)))
        return too_large(name, bytes, e);
    memset(data, 0xff, size);
    struct buffer *b = place_buffer(m, name, bytes, role);
    b->data = b->mapped = data;
    return b;
}

/* The whole is bounded: a text of a few bytes can ask for any size, and the
 * host gives memory that it does not have. */
struct buffer *memory_add_zeroed(struct memory *m, const char *name,
                                 uint64_t bytes, enum buffer_role role,
                                 struct error *e)
{
    uint8_t *mapped = NULL;
    if (bytes > MAX_ZEROED || m->zeroed > MAX_ZEROED - bytes ||
        !(mapped = calloc(1, (size_t)bytes + 2 * ALIGN)))
        return too_large(name, bytes, e);
    m->zeroed += bytes;
    struct buffer *b = place_buffer(m, name, bytes, role);
    b->zeroed = true;
    b->mapped = mapped;
    b->data = mapped + (ALIGN - (uintptr_t)mapped % ALIGN);
    return b;
}

struct buffer *memory_borrow(struct memory *m, const char *name, void *data,
                             uint64_t bytes, enum buffer_role role)
{
    struct buffer *b = place_buffer(m, name, bytes, role);
    b->data = data;
    return b;
}

void memory_move_start(struct buffer *b, int64_t bytes)
{
    b->address += (uint64_t)bytes;
    b->data += bytes;
    b->bytes -= (uint64_t)bytes;
}

void memory_free(struct memory *m, struct buffer *b)
{
    m->zeroed -= b->zeroed && !b->freed ? b->bytes : 0;
    free(b->mapped);
    b->mapped = b->data = NULL;
    b->freed = true;
}

/* Index of the last buffer that starts at or below `address`, or -1. */
static int buffer_below(const struct memory *m, uint64_t address)
{
    int low = -1, high = m->count;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (m->buffers[middle]->address <= address)
            low = middle;
        else
            high = middle;
    }
    return low;
}

struct buffer *memory_find(const struct memory *m, uint64_t address)
{
    int i = buffer_below(m, address);
    if (i < 0 || address - m->buffers[i]->address >= m->buffers[i]->bytes)
        return NULL;
    return m->buffers[i];
}

struct buffer *memory_nearest(const struct memory *m, uint64_t address)
{
    int i = buffer_below(m, address);
    if (i < 0)
        return m->count ? m->buffers[0] : NULL;
    struct buffer *b = m->buffers[i];
    if (i + 1 < m->count) {
        uint64_t end = b->address + b->bytes;
        uint64_t below = address < end ? 0 : address - end;
        if (m->buffers[i + 1]->address - address < below)
            return m->buffers[i + 1];
    }
    return b;
}

void memory_describe(const struct memory *m, uint64_t address, char *to,
                     size_t size)
{
    const struct buffer *b = memory_nearest(m, address);
    if (!b || address < 4096) {
        snprintf(to, size, "address 0x%llx, a null pointer or close to one",
                 (unsigned long long)address);
        return;
    }
    int64_t at = (int64_t)(address - b->address), step = b->element;
    int64_t index = at >= 0 ? at / step : -((-at + step - 1) / step);
    int64_t past = at - (int64_t)b->bytes;
    if (past > (int64_t)GAP / 2 || at < -(int64_t)GAP / 2)
        snprintf(to, size, "address 0x%llx, which belongs to no buffer",
                 (unsigned long long)address);
    else if (past >= 0) /* of an access to one element */
        snprintf(to, size,
                 "%s[%lld], %lld bytes past its end (it has %llu element%s)",
                 b->name, (long long)index, (long long)(past + step),
                 (unsigned long long)(b->bytes / b->element),
                 b->bytes / b->element == 1 ? "" : "s");
    else if (at < 0)
        snprintf(to, size, "%s[%lld], %lld bytes before its start", b->name,
                 (long long)index, (long long)-at);
    else if (b->zeroed && b->bytes <= b->element) /* a variable, no array */
        snprintf(to, size, "%s%s", b->name,
                 b->freed ? ", which was freed" : "");
    else
        snprintf(to, size, "%s[%lld]%s", b->name, (long long)index,
                 b->freed ? ", which was freed" : "");
}
