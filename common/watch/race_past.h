/* What is remembered of the accesses to one word of memory, and when two
 * accesses need an order.  The same for shared and for global memory.
 *
 * A past is an access by lanes of one warp in one event, to some bytes of the
 * word.  A word keeps all that may still race with something: a past goes
 * only when a later one of the same class, that is ordered after it, covers
 * its lanes and bytes (whoever races with the old one races with the new one,
 * too), or when everybody knows of it.  So as a rule there is one. */
#ifndef WATCH_RACE_PAST_H
#define WATCH_RACE_PAST_H

#include "watch/race_clock.h"

enum { PAST_MANY = 8 }; /* so many of a kind: worth an effort to have fewer */

enum past_kind { PAST_WRITE, PAST_READ, PAST_ATOMIC, PAST_KINDS };

/* How an access behaves towards others. */
enum role { ROLE_READ, ROLE_FLAG_READ, ROLE_WRITE, ROLE_ATOMIC };

/* Facts about an instruction that reaches memory. */
enum {
    TRAIT_STRONG = 1, /* volatile or ordered, or a value that an atomicCAS()
                         of the same place compares: no race with atomics */
    TRAIT_FLAG = 2,   /* meant to pass messages: race_is_flag() */
    TRAITS = 3,       /* those that matter in shared memory */
    TRAIT_BLOCK = 4,  /* an atomic that excludes its own block only */
};

struct past {
    uint32_t block, time, lanes;
    uint32_t value; /* of the word, as far as `bytes` go */
    uint32_t insn;  /* race_insn_id() */
    uint8_t warp, bytes, traits;
    uint8_t has_value : 1, is_store : 1;
};
struct past_set {
    uint32_t count, capacity; /* 0: the one is inside */
    union {
        struct past one;
        struct past *many;
    };
};

/* An access that is looked at now. */
struct now {
    struct past past; /* as which it will be remembered */
    enum role role;
    const struct view *view;
    uint32_t settled; /* all who reach this memory know of pasts up to here; 0
                         none (global memory: other blocks do not) */
};

enum past_kind past_kind_of(enum role);
struct past *past_items(struct past_set *);
void past_free(struct past_set *);
void past_remove(struct past_set *, uint32_t at);
void past_push(struct past_set *, const struct past *);
/* Everybody knows of all up to that time: such pasts go. */
void past_settle(struct past_set *, uint32_t settled);
/* Remembers the access. */
void past_add(struct past_set *, const struct now *);
/* Do the access and a remembered one of that kind need an order at all? */
bool past_conflicts(const struct now *, enum past_kind, const struct past *);
/* Do both store the same value in the bytes that they share? */
bool past_agrees(const struct past *, const struct past *);
/* Two lanes of this block, of the past one and of the one now, that nothing
 * orders. */
bool past_pair(const struct now *, const struct past *, uint32_t *past_lane,
               uint32_t *lane);

#endif
