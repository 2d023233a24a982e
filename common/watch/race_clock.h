/* What threads of a block know of each other: the clocks of the race watcher.
 *
 * Each event of a block has a time.  An access is ordered before what a thread
 * does now if the thread itself made it or knows of it.  Knowledge moves when
 * threads meet; it is kept for whole warps as long as whole warps meet:
 *
 *     seen[x]            of warp x, all lanes of this warp know all up to here
 *     lanes->clock[k]    by lane: what it knows beyond that, of each thread of
 *                        the block (masks of some lanes, parts of a warp at a
 *                        barrier, a flag that one lane has read)
 *
 * There are four kinds of knowledge (PTX ISA 8.9, causality order):
 *
 *     KNOWN          happened before what the lane does now
 *     PENDING        read at a flag, not to be relied on before a fence
 *     FENCED_BLOCK   was KNOWN at the lane's last fence, or own: whoever reads
 *     FENCED_GRID    what the lane stores at a flag may learn it; in the block
 *                    (any fence), in the grid (fences of wider scope)
 *
 * All four spread where threads meet.  That is more than the PTX ISA says of
 * the last three (a fence and the flag must be one thread's), but "all write,
 * all fence, barrier, one sets the flag" works on every GPU and is common. */
#ifndef WATCH_RACE_CLOCK_H
#define WATCH_RACE_CLOCK_H

#include "sim/event.h"

enum { MAX_WARPS = 32, BLOCK_THREADS = MAX_WARPS * WARP_LANES };
enum clock_kind {
    CLOCK_KNOWN,
    CLOCK_PENDING,
    CLOCK_FENCED_BLOCK,
    CLOCK_FENCED_GRID,
    CLOCKS
};

/* A time for each thread of the block, shared by all who know the same. */
struct known {
    uint32_t users;
    struct known *next_free;
    uint32_t time[];
};
struct lane_clocks {
    struct known *clock[CLOCKS][WARP_LANES]; /* NULL: nothing more */
    uint32_t own[CLOCKS][WARP_LANES];        /* fenced: own accesses so far */
    /* KNOWN, PENDING: the stamp of the flag that was read last. */
    uint64_t learnt[2][WARP_LANES];
};
struct warp_clock {
    uint32_t seen[MAX_WARPS];
    uint32_t low;              /* the least of them: known of every warp */
    uint32_t last;             /* its last access to shared memory */
    uint32_t meetings;         /* rises when others may learn from it */
    bool has_lanes;            /* any of `lanes` says something */
    struct lane_clocks *lanes; /* NULL before the first use */
    struct view *view;         /* clocks_keep(): as it is now, or NULL */
};
struct barrier_clock {
    bool open;        /* arrivals are being gathered */
    uint32_t low;     /* as it opened: the least of joined[] that matters */
    uint32_t waiting; /* warps that came whole and stand there */
    uint32_t joined[MAX_WARPS];
    struct known *clock[CLOCKS];
};
enum { FLAG_BUCKETS = 64, BARRIERS = 16 };
struct flag;
struct clocks { /* of a block */
    uint32_t now, warps, threads;
    uint32_t settled; /* all up to here is known to everybody for good */
    uint32_t gone[MAX_WARPS]; /* lanes that exited */
    struct warp_clock warp[MAX_WARPS];
    struct barrier_clock barriers[BARRIERS];
    struct flag *flags[FLAG_BUCKETS];
    bool has_flags;
    uint64_t stamps; /* one for each time that something is published */
    struct known *free;
    struct view *kept;
};

/* What the lanes of a warp know at a moment. */
struct view {
    uint32_t warp;
    uint32_t low;
    const uint32_t *seen;
    const struct lane_clocks *lanes; /* or NULL */
    struct view *next;               /* of the kept ones */
};

void clocks_init(struct clocks *, uint32_t threads);
/* A new block; time goes on, so that what is remembered of an old block is
 * known to all. */
void clocks_begin(struct clocks *);
void clocks_free(struct clocks *);

/* All lanes know only what their warps know; no flags. */
void clocks_forget(struct clocks *);
void known_drop(struct clocks *, struct known *);

/* Lanes of a warp have met.  Those that were named and have ended count, too:
 * they were waited for until their end. */
void clocks_meet(struct clocks *, uint32_t warp, uint32_t here, uint32_t named);
/* Lanes come to a barrier; `live` are those of the warp that have not ended.
 * It opens: called for each warp that stood there. */
void clocks_arrive(struct clocks *, uint32_t warp, int barrier, uint32_t lanes,
                   uint32_t live, bool waits);
void clocks_open(struct clocks *, uint32_t warp, int barrier, uint32_t lanes,
                 uint32_t live);
void clocks_exit(struct clocks *, uint32_t warp, uint32_t lanes);
void clocks_fence(struct clocks *, uint32_t warp, uint32_t lanes, bool is_grid);
/* At the flag `key` lanes leave what they have fenced (or all that they know:
 * a release), or read what was left there (to be relied on at once: an
 * acquire). */
void clocks_publish(struct clocks *, uint64_t key, uint32_t warp,
                    uint32_t lanes, bool is_release);
void clocks_learn(struct clocks *, uint64_t key, uint32_t warp, uint32_t lanes,
                  bool is_acquire);

/* ---- looking ----------------------------------------------------------------*/

struct view clocks_view(const struct clocks *, uint32_t warp);
/* A copy that does not change; clocks_drop_kept() ends all of them. */
const struct view *clocks_keep(struct clocks *, uint32_t warp);
void clocks_drop_kept(struct clocks *);
/* An access by `thread` at `time`: is it before what `lane` does now?
 * `is_strong`: now is a volatile or ordered access, which cannot run ahead of
 * the flag that was read before it. */
bool view_orders(const struct view *, uint32_t time, uint32_t thread,
                 uint32_t lane, bool is_strong);
/* Of the lanes of `warp` that made an access at `time`, those that are before
 * what some lane of `lanes` does now. */
uint32_t view_before(const struct view *, uint32_t time, uint32_t warp,
                     uint32_t past, uint32_t lanes);
/* Adds what a lane has fenced for the grid, or all that it knows `now`, to
 * time[] by thread. */
void view_fenced(const struct view *, const struct clocks *, uint32_t lane,
                 bool all, uint32_t now, uint32_t *time);

#endif
