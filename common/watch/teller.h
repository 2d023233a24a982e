/* A watcher whose only product is findings: what all of them share.
 *
 * Each block collects findings of its own; they join the launch's list at
 * block_end, in block order, so that words and order do not depend on the
 * host's threads.
 *
 *     struct my_block { struct teller_block base; ... };
 *     static void my_event(struct watcher *, void *, const struct event *);
 *     teller_new(sizeof(struct teller), sizeof(struct my_block), ...)
 */
#ifndef WATCH_TELLER_H
#define WATCH_TELLER_H

#include "sim/launch.h"
#include "watch/finding.h"

/* The state of one block; a watcher's own struct begins with it.  The rest is
 * zeros when the block begins. */
struct teller_block {
    struct finding_list findings;
    struct teller_block *next; /* of the free ones */
    uint64_t block;
};

struct teller {
    struct watcher watcher; /* first */
    const struct launch_info *info;
    struct finding_list *findings; /* of the launch */
    size_t block_bytes;
    struct teller_block *free_blocks;
    void (*event)(struct teller *, struct teller_block *, const struct event *);
    /* Before the block's findings are joined; may be NULL. */
    void (*closing)(struct teller *, struct teller_block *);
};

/* A zeroed watcher of `bytes` bytes that begins with a struct teller.  The
 * caller may set `closing` and functions of the watcher that it wants to wrap
 * (calling teller_begin and so on). */
void *teller_new(size_t bytes, size_t block_bytes, const char *name,
                 uint32_t wants,
                 void (*event)(struct watcher *, void *, const struct event *),
                 struct finding_list *list);
void teller_free(struct watcher *);

void teller_begin(struct watcher *, const struct launch_info *);
void teller_end(struct watcher *);

/* A finding at the event's instruction without words; `other` may be NULL. */
struct finding teller_place(const char *kind, const struct event *ev,
                            const struct ptx_insn *other);
/* True if this place has its finding in this block already: then its count
 * has gone up by `count` and no words are needed. */
bool teller_again(struct teller_block *, const struct finding *place,
                  uint64_t count);
/* Adds the finding with words. */
void teller_say(struct teller_block *, struct finding *, uint64_t count,
                const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
