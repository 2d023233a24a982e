/* An arena: many small allocations that all die together.
 * Memory comes zeroed and aligned to 64 bytes or to the size's own power of
 * two, whichever is smaller.  Running out of host memory ends the program
 * with a message (exit 2): there is nothing a caller could do. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

struct arena_block;
struct arena {
    struct arena_block *blocks; /* newest first; {NULL} is an empty arena */
};

void *arena_alloc(struct arena *a, size_t size);
/* `count` elements of `size` bytes; the product is checked for overflow. */
void *arena_array(struct arena *a, size_t count, size_t size);
char *arena_copy(struct arena *a, const char *text,
                 size_t length); /* adds \0 */
char *arena_printf(struct arena *a, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void arena_free(struct arena *a); /* frees everything; the arena is empty */

/* For single objects outside an arena: never NULL, zeroed, free() them. */
void *checked_alloc(size_t size);
void *checked_realloc(void *old, size_t size); /* new bytes are not zeroed */
/* For arrays: begins at a multiple of 256 bytes, in large pages where the
 * system gives them.  A grid-stride loop jumps by megabytes, and with small
 * pages each of its loads misses the TLB.  Not zeroed; NULL if there is not so
 * much; free() it. */
void *large_alloc(size_t size);

#endif
