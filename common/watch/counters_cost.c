/* What the addresses of one access cost.  See counters_cost.h. */
#include "watch/counters_cost.h"

#include <string.h>

enum { BANKS = 32, BANK_BYTES = 4, SECTOR_BYTES = 32 };

/* ---- shared memory ------------------------------------------------------------*/

/* Most different words that one bank must give to the lanes of `mask`. */
static uint32_t worst_bank(const uint64_t *address, uint32_t size,
                           uint32_t mask)
{
    uint32_t word_of[BANKS][WARP_LANES], count[BANKS] = {0}, worst = 0;
    uint32_t words = (size + BANK_BYTES - 1) / BANK_BYTES;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t first = (uint32_t)(address[__builtin_ctz(m)] / BANK_BYTES);
        for (uint32_t w = first; w < first + words; w++) {
            uint32_t bank = w % BANKS, k = 0;
            while (k < count[bank] && word_of[bank][k] != w)
                k++;
            if (k < count[bank] || k == WARP_LANES)
                continue;
            word_of[bank][k] = w;
            count[bank]++;
            if (count[bank] > worst)
                worst = count[bank];
        }
    }
    return worst;
}

/* Most lanes that one bank serves. */
static uint32_t busiest_bank(const uint64_t *address, uint32_t mask)
{
    uint32_t count[BANKS] = {0}, worst = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        uint64_t word = address[__builtin_ctz(m)] / BANK_BYTES;
        if (++count[word % BANKS] > worst)
            worst = count[word % BANKS];
    }
    return worst;
}

/* Parts of a warp that an access of this size goes in. */
static uint32_t parts_of(uint32_t size)
{
    return size <= 4 ? 1 : size <= 8 ? 2 : 4;
}

uint32_t cost_wavefronts(const struct event *ev, uint32_t *least)
{
    uint32_t parts = parts_of(ev->size), lanes = WARP_LANES / parts;
    uint32_t wavefronts = 0;
    *least = 0;
    if (ev->is_atomic) {
        *least = 1;
        return busiest_bank(ev->address, ev->active);
    }
    for (uint32_t p = 0; p < parts; p++) {
        uint32_t piece = parts == 1 ? UINT32_MAX : (1u << lanes) - 1;
        uint32_t mask = ev->active & piece << (p * lanes);
        if (!mask)
            continue;
        ++*least;
        wavefronts += ev->is_row ? 1 : worst_bank(ev->address, ev->size, mask);
    }
    return wavefronts;
}

/* ---- global memory ----------------------------------------------------------------*/

/* Lanes without a hole, side by side: one stretch of bytes. */
static bool is_stretch(const struct event *ev)
{
    uint32_t low = ev->active & -ev->active;
    return ev->is_row && (ev->active & (ev->active + low)) == 0;
}

/* All 32 lanes at one address: the queue of the first stage. */
static bool is_one_place(const struct event *ev)
{
    uint64_t differ = 0;
    if (ev->active != UINT32_MAX)
        return false;
    for (int i = 0; i < WARP_LANES; i++)
        differ |= ev->address[i] ^ ev->address[0];
    return !differ;
}

uint32_t cost_sectors(const struct event *ev)
{
    uint64_t seen[2 * WARP_LANES];
    uint32_t count = 0;
    if (is_one_place(ev))
        return 1;
    if (is_stretch(ev)) {
        uint64_t first = ev->address[__builtin_ctz(ev->active)];
        uint64_t end = first + (uint64_t)ev->size * cost_lanes(ev->active);
        return (uint32_t)((end - 1) / SECTOR_BYTES - first / SECTOR_BYTES + 1);
    }
    for (uint32_t m = ev->active; m; m &= m - 1) {
        uint64_t sector = ev->address[__builtin_ctz(m)] / SECTOR_BYTES;
        uint32_t k = count;
        while (k > 0 && seen[k - 1] != sector)
            k--;
        if (k == 0)
            seen[count++] = sector;
    }
    return count;
}

uint32_t cost_same_word(const struct event *ev)
{
    uint64_t word[WARP_LANES];
    uint8_t lanes[WARP_LANES];
    uint32_t count = 0, most = 0;
    if (is_one_place(ev))
        return WARP_LANES;
    for (uint32_t m = ev->active; m; m &= m - 1) {
        uint64_t at = ev->address[__builtin_ctz(m)];
        uint32_t k = 0;
        while (k < count && word[k] != at)
            k++;
        if (k == count) {
            word[count] = at;
            lanes[count++] = 0;
        }
        if (++lanes[k] > most)
            most = lanes[k];
    }
    return most;
}
