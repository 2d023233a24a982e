/* Arenas: a list of big blocks, cut from the front.  See arena.h. */
#include "base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { BLOCK_BYTES = 64 * 1024, BLOCK_ALIGN = 64 };

/*   | struct arena_block | used ... | free ... |
 *                        ^ first byte is 64-byte aligned                  */
struct arena_block {
    struct arena_block *next;
    size_t used, size; /* of the bytes behind this header */
};
#define HEADER_BYTES ((sizeof(struct arena_block) + 63) / 64 * 64)

static void out_of_memory(size_t size)
{
    fprintf(stderr, "out of memory: %zu more bytes were needed\n", size);
    exit(2);
}

/* 64, or the power of two not above the size: an object never needs more. */
static size_t alignment_of(size_t size)
{
    size_t align = 1;
    while (align < BLOCK_ALIGN && align * 2 <= size)
        align *= 2;
    return align;
}

static struct arena_block *add_block(struct arena *a, size_t size)
{
    struct arena_block *block = NULL;
    size_t bytes = size > BLOCK_BYTES ? size : BLOCK_BYTES;

    if (bytes > SIZE_MAX - HEADER_BYTES - BLOCK_ALIGN)
        out_of_memory(size);
    bytes = (bytes + BLOCK_ALIGN - 1) / BLOCK_ALIGN * BLOCK_ALIGN;
    block = aligned_alloc(BLOCK_ALIGN, HEADER_BYTES + bytes);
    if (!block)
        out_of_memory(size);
    block->used = 0;
    block->size = bytes;
    block->next = a->blocks;
    a->blocks = block;
    return block;
}

void *arena_alloc(struct arena *a, size_t size)
{
    size_t align = alignment_of(size);
    struct arena_block *block = a->blocks;
    size_t at = block ? (block->used + align - 1) / align * align : 0;

    if (!block || at > block->size || size > block->size - at) {
        block = add_block(a, size);
        at = 0;
    }
    block->used = at + size;
    return memset((char *)block + HEADER_BYTES + at, 0, size);
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        out_of_memory(SIZE_MAX);
    return arena_alloc(a, bytes);
}

char *arena_copy(struct arena *a, const char *text, size_t length)
{
    char *copy = arena_alloc(a, length + 1);
    if (length)
        memcpy(copy, text, length);
    return copy;
}

char *arena_printf(struct arena *a, const char *format, ...)
{
    va_list args, again;

    va_start(args, format);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = arena_alloc(a, length < 0 ? 1 : (size_t)length + 1);
    if (length >= 0)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void arena_free(struct arena *a)
{
    while (a->blocks) {
        struct arena_block *next = a->blocks->next;
        free(a->blocks);
        a->blocks = next;
    }
}

void *checked_alloc(size_t size)
{
    void *p = calloc(1, size ? size : 1);
    if (!p)
        out_of_memory(size);
    return p;
}

void *checked_realloc(void *old, size_t size)
{
    void *p = realloc(old, size ? size : 1);
    if (!p)
        out_of_memory(size);
    return p;
}

void *large_alloc(size_t size)
{
    enum { ALIGN = 256, LARGE_PAGE = 2 << 20 };
    size_t align = size < 2 * LARGE_PAGE ? ALIGN : LARGE_PAGE;
    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + align) / align * align;
    void *p = aligned_alloc(align, size);
    if (p && align == LARGE_PAGE)
        madvise(p, size, MADV_HUGEPAGE); /* if not, it is only slower */
    return p;
}
