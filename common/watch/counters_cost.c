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

/* Places that a load of more than a word goes to, at most: if all lanes want
 * what their neighbour wants, or all what the next but one wants, a pair is
 * one. */
static uint32_t places_apart(const uint64_t *address, uint32_t mask)
{
    uint32_t least = (uint32_t)__builtin_popcount(mask);
    for (uint32_t away = 1; away <= 2; away++) {
        bool same = true;
        uint32_t pairs = 0;
        for (uint32_t m = mask; m && same; m &= m - 1) {
            uint32_t i = (uint32_t)__builtin_ctz(m), other = i ^ away;
            bool is_pair = mask >> other & 1;
            same = !is_pair || address[i] == address[other];
            pairs += !is_pair || i < other;
        }
        if (same && pairs < least)
            least = pairs;
    }
    return least;
}

/* The passes of the lanes of `mask`: a group of the warp that holds up to
 * twice as many as one pass serves.  Few enough of a load go together, else
 * it goes in two halves. */
static uint32_t group_passes(const struct event *ev, uint32_t mask,
                             uint32_t half, uint32_t *least)
{
    uint32_t width = (uint32_t)__builtin_popcount(half), passes = 0;
    if (!mask)
        return 0;
    if (!ev->is_write && (mask & half) && (mask & ~half) &&
        places_apart(ev->address, mask) <= width) {
        ++*least;
        return worst_bank(ev->address, ev->size, mask);
    }
    const uint32_t halves[] = {mask & half, mask & ~half};
    for (int k = 0; k < 2; k++) {
        if (!halves[k])
            continue;
        ++*least;
        passes += ev->is_row ? 1 : worst_bank(ev->address, ev->size, halves[k]);
    }
    return passes;
}

uint32_t cost_wavefronts(const struct event *ev, uint32_t *least)
{
    *least = 0;
    if (ev->is_atomic) {
        *least = 1;
        return busiest_bank(ev->address, ev->active);
    }
    if (ev->size <= 4) {
        *least = ev->active != 0;
        return ev->is_row ? *least
                          : worst_bank(ev->address, ev->size, ev->active);
    }
    if (ev->size <= 8)
        return group_passes(ev, ev->active, 0xffff, least);
    return group_passes(ev, ev->active & 0xffff, 0xff, least) +
           group_passes(ev, ev->active & 0xffff0000, 0xff0000, least);
}

uint32_t cost_local_sectors(const struct event *ev)
{
    uint64_t seen[WARP_LANES][2];
    uint32_t count = 0, words = (ev->size + BANK_BYTES - 1) / BANK_BYTES;
    for (uint32_t m = ev->active; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(m), k = 0;
        uint64_t word = ev->address[lane] / BANK_BYTES;
        while (k < count && (seen[k][0] != word || seen[k][1] != lane / 8))
            k++;
        if (k < count)
            continue;
        seen[count][0] = word;
        seen[count++][1] = lane / 8;
    }
    return count * words;
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
