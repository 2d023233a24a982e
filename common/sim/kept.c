/* What a block has stored and added while it runs apart from the others: kept
 * back until its turn, then applied in the order it was made (launch.h). */
#include "sim/machine.h"

#include <string.h>

/* One warp's store or red, followed by the addresses (one if all lanes of a
 * red have the same or those of a store are in a row) and the values of its
 * lanes. */
struct log_record {
    alu_atomic_fn *atomic; /* NULL: store */
    uint32_t lanes, addresses;
    uint32_t bytes;  /* of one lane's value */
    uint32_t length; /* of the whole record */
};

static void *log_room(struct block *b, uint32_t lanes, uint32_t addresses,
                      uint32_t bytes, alu_atomic_fn *atomic)
{
    uint32_t length = (uint32_t)sizeof(struct log_record) +
                      (addresses * 8 + lanes * bytes + 7) / 8 * 8;
    if (b->log_bytes + length > b->log_capacity) {
        b->log_capacity = 2 * (b->log_bytes + length);
        b->log = checked_realloc(b->log, b->log_capacity);
    }
    struct log_record *r = (struct log_record *)(b->log + b->log_bytes);
    *r = (struct log_record){atomic, lanes, addresses, bytes, length};
    b->log_bytes += length;
    return r + 1;
}

static void log_range(struct block *b, uint64_t address, uint32_t bytes)
{
    if (address < b->log_low)
        b->log_low = address;
    if (address + bytes > b->log_high)
        b->log_high = address + bytes;
}

/* value: 32 lanes of `bytes` bytes each. */
void kept_write(struct block *b, const uint64_t *address, uint32_t mask,
                const uint8_t *value, uint32_t bytes, alu_atomic_fn *atomic)
{
    uint32_t lanes = (uint32_t)__builtin_popcount(mask);
    uint64_t *to = log_room(b, lanes, lanes, bytes, atomic);
    for (uint32_t m = mask; m; m &= m - 1) {
        *to++ = address[lane_first(m)];
        log_range(b, address[lane_first(m)], bytes);
    }
    uint8_t *v = (uint8_t *)to;
    for (uint32_t m = mask; m; m &= m - 1, v += bytes)
        memcpy(v, value + (size_t)lane_first(m) * bytes, bytes);
}

void kept_row(struct block *b, uint64_t address, uint32_t lanes,
              const uint8_t *value, uint32_t bytes)
{
    uint64_t *to = log_room(b, lanes, 1, bytes, NULL);
    *to++ = address;
    log_range(b, address, lanes * bytes);
    memcpy(to, value, (size_t)lanes * bytes);
}

/* Lanes stored to cells in a row: all in one buffer, as when it was made. */
static void apply_row(struct block *b, const struct log_record *r,
                      uint64_t address, const uint8_t *value)
{
    uint8_t *host = NULL;
    size_t length = (size_t)r->lanes * r->bytes;
    if (access_fault(b, address, r->bytes, true, &host))
        return;
    b->machine->changes += memcmp(host, value, length) != 0;
    memcpy(host, value, length);
}

/* All lanes added to one cell. */
static void apply_to_one(struct block *b, const struct log_record *r,
                         uint64_t address, const uint8_t *value)
{
    uint8_t *host = NULL;
    uint64_t cell = 0, before;
    if (access_fault(b, address, r->bytes, true, &host))
        return; /* was refused when it was made */
    memcpy(&cell, host, r->bytes);
    before = cell;
    cell = alu_atomic_fold(r->atomic, cell, value, r->bytes, r->lanes);
    b->machine->changes += cell != before;
    memcpy(host, &cell, r->bytes);
}

static void apply_each(struct block *b, const struct log_record *r,
                       const uint64_t *address, const uint8_t *value)
{
    uint64_t old, *changes = &b->machine->changes;
    for (uint32_t k = 0; k < r->lanes; k++, value += r->bytes) {
        uint8_t *host = NULL;
        uint64_t v = 0;
        if (access_fault(b, address[k], r->bytes, true, &host))
            continue;
        if (!r->atomic) {
            *changes += memcmp(host, value, r->bytes) != 0;
            memcpy(host, value, r->bytes);
            continue;
        }
        memcpy(&v, value, r->bytes);
        access_atomic(host, r->bytes, r->atomic, v, 0, &old, changes);
    }
}

void kept_apply(struct block *b)
{
    for (size_t at = 0; at < b->log_bytes;) {
        struct log_record *r = (struct log_record *)(b->log + at);
        const uint64_t *address = (const uint64_t *)(r + 1);
        const uint8_t *value = (const uint8_t *)(address + r->addresses);
        if (r->addresses == 1 && r->atomic)
            apply_to_one(b, r, *address, value);
        else if (r->addresses == 1)
            apply_row(b, r, *address, value);
        else
            apply_each(b, r, address, value);
        at += r->length;
    }
    b->log_bytes = 0;
    b->log_low = UINT64_MAX;
    b->log_high = 0;
}

/* A load must not miss what the block itself has kept back. */
bool kept_overlaps(const struct block *b, const uint64_t *address,
                   uint32_t mask, uint32_t size)
{
    if (!b->log_bytes)
        return false;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t a = address[lane_first(m)];
        if (a < b->log_high && a + size > b->log_low)
            return true;
    }
    return false;
}

/* A red of all lanes to one word, kept back: the queue at the counter that
 * the first stage is about.  False: not of this kind, nothing was done. */
bool kept_red(struct block *b, const struct code_insn *in, const uint8_t *from,
              const uint64_t *addresses, uint32_t mask)
{
    uint64_t address = addresses[lane_first(mask)], differ = 0;
    uint8_t *host;
    if (mask == ALL_LANES)
        for (int i = 0; i < WARP_LANES; i++)
            differ |= addresses[i] ^ address;
    else
        for (uint32_t m = mask; m; m &= m - 1)
            differ |= addresses[lane_first(m)] ^ address;
    if (differ || access_fault(b, address, in->size, true, &host))
        return false;
    uint32_t lanes = (uint32_t)__builtin_popcount(mask);
    uint64_t *to = log_room(b, lanes, 1, in->size, in->atomic);
    *to++ = address;
    log_range(b, address, in->size);
    if (lanes == WARP_LANES) {
        memcpy(to, from, (size_t)in->size * WARP_LANES);
        return true;
    }
    uint8_t *v = (uint8_t *)to;
    for (uint32_t m = mask; m; m &= m - 1, v += in->size)
        memcpy(v, from + (size_t)lane_first(m) * in->size, in->size);
    return true;
}
