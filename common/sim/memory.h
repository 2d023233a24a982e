/* Global and constant memory of the simulated GPU.
 *
 * Addresses are 64-bit numbers of their own, not host pointers.  Buffers lie
 * far apart; between them nothing is mapped, so that an access outside every
 * buffer is refused with the nearest buffer known.  Generic addresses use the
 * same numbers, with one window each for the shared and the local memory of
 * the running block:
 *
 *     0 ............... never mapped
 *     SHARED_WINDOW ... block's shared memory
 *     LOCAL_WINDOW .... thread's local memory
 *     GLOBAL_BASE ..... buffers, 256-byte aligned plus gaps of >= 1 MiB */
#ifndef SIM_MEMORY_H
#define SIM_MEMORY_H

#include "ptx/program.h"

#define SHARED_WINDOW 0x0000700000000000u
#define LOCAL_WINDOW 0x0000710000000000u
#define WINDOW_BYTES 0x0000000001000000u
#define GLOBAL_BASE 0x0000720000000000u

enum buffer_role {
    BUFFER_DATA,     /* read and written */
    BUFFER_INPUT,    /* writes are faults */
    BUFFER_CONSTANT, /* __constant__: writes are faults */
};

struct buffer {
    const char *name; /* "in", "out", or the variable's name; owned */
    uint64_t address; /* first byte */
    uint64_t bytes;
    uint32_t element; /* bytes of an element, for array[index] messages */
    enum buffer_role role;
    bool freed;      /* kept so that a use after free can be named */
    bool zeroed;     /* made by memory_add_zeroed */
    uint8_t *data;   /* host memory of `bytes` bytes */
    uint8_t *mapped; /* what free() gets; NULL if borrowed */
};

struct memory {
    struct buffer **buffers; /* by rising address */
    int count, capacity;
    uint64_t next;   /* where the next buffer goes */
    uint64_t zeroed; /* bytes of memory_add_zeroed */
};

void memory_init(struct memory *);
void memory_clear(struct memory *); /* frees all buffers */

/* A new buffer filled with 0xff bytes (a NaN as float: the poison of memory
 * never written).  NULL and a message when the host has not enough memory. */
struct buffer *memory_add(struct memory *, const char *name, uint64_t bytes,
                          enum buffer_role, struct error *);
/* A new buffer filled with zeros; costs nothing until it is written. */
struct buffer *memory_add_zeroed(struct memory *, const char *name,
                                 uint64_t bytes, enum buffer_role,
                                 struct error *);
/* The same over the caller's bytes, which must outlive the buffer. */
struct buffer *memory_borrow(struct memory *, const char *name, void *data,
                             uint64_t bytes, enum buffer_role);
/* The buffer begins so many bytes later (or, below 0, earlier again): what was
 * in front is in no buffer. */
void memory_move_start(struct buffer *, int64_t bytes);
void memory_free(struct memory *, struct buffer *); /* data goes, name stays */

/* The buffer that holds `address`, or NULL. */
struct buffer *memory_find(const struct memory *, uint64_t address);
/* The buffer nearest to an address that is in none, for messages. */
struct buffer *memory_nearest(const struct memory *, uint64_t address);

/* "in[1000], 4 bytes past its end (it has 1000 elements)" and the like. */
void memory_describe(const struct memory *, uint64_t address, char *to,
                     size_t size);

#endif
