/* Seeded random numbers that are the same on every machine (splitmix64).
 * `random_at` needs no state, so that element i of a data set can be made
 * without the elements before it. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

static inline uint64_t random_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline uint64_t random_at(uint64_t seed, uint64_t index)
{
    return random_mix(random_mix(seed) ^ (index * 0xd1342543de82ef95u));
}

struct random {
    uint64_t state;
};

static inline uint64_t random_next(struct random *r)
{
    r->state += 0x9e3779b97f4a7c15u;
    return random_mix(r->state);
}

/* Uniform in 0..bound-1; bound must not be 0. */
static inline uint64_t random_below(struct random *r, uint64_t bound)
{
    return (uint64_t)(((unsigned __int128)random_next(r) * bound) >> 64);
}

#endif
