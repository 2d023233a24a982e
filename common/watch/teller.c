/* What all watchers that only make findings share.  See teller.h. */
#include "watch/teller.h"

#include "watch/name.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void teller_begin(struct watcher *watcher, const struct launch_info *info)
{
    ((struct teller *)watcher)->info = info;
}

/* Called under a lock, see event.h. */
static void *block_begin(struct watcher *watcher, uint64_t block)
{
    struct teller *t = (struct teller *)watcher;
    struct teller_block *b = t->free_blocks;
    if (b) {
        t->free_blocks = b->next;
        memset(b, 0, t->block_bytes);
    } else {
        b = checked_alloc(t->block_bytes);
    }
    b->block = block;
    return b;
}

static void block_end(struct watcher *watcher, void *state, uint64_t block)
{
    struct teller *t = (struct teller *)watcher;
    struct teller_block *b = state;
    (void)block;
    if (t->closing)
        t->closing(t, b);
    if (b->findings.count)
        finding_join(t->findings, &b->findings);
    finding_free(&b->findings);
    b->next = t->free_blocks;
    t->free_blocks = b;
}

void teller_end(struct watcher *watcher)
{
    struct teller *t = (struct teller *)watcher;
    while (t->free_blocks) {
        struct teller_block *b = t->free_blocks;
        t->free_blocks = b->next;
        free(b);
    }
}

void *teller_new(size_t bytes, size_t block_bytes, const char *name,
                 uint32_t wants,
                 void (*event)(struct watcher *, void *, const struct event *),
                 struct finding_list *list)
{
    struct teller *t = checked_alloc(bytes);
    t->findings = list;
    t->block_bytes = block_bytes;
    t->watcher = (struct watcher){
        .name = name,
        .wants = wants,
        .begin = teller_begin,
        .block_begin = block_begin,
        .event = event,
        .block_end = block_end,
        .end = teller_end,
    };
    return t;
}

void teller_free(struct watcher *watcher)
{
    free(watcher);
}

/* ---- words ----------------------------------------------------------------*/

struct finding teller_place(const char *kind, const struct event *ev,
                            const struct ptx_insn *other)
{
    struct finding f = {.kind = kind, .severity = SEVERITY_ERROR};
    if (ev->insn) {
        f.file = (char *)(uintptr_t)name_file(ev->function, ev->insn);
        f.line = ev->insn->line;
    }
    if (ev->active) {
        f.has_thread = true;
        f.block = ev->block;
        f.thread = ev->warp * WARP_LANES + (uint32_t)__builtin_ctz(ev->active);
    }
    if (other && other != ev->insn)
        f.other_line = other->line;
    return f;
}

bool teller_again(struct teller_block *b, const struct finding *place,
                  uint64_t count)
{
    int known = finding_index(&b->findings, place);
    if (known < 0)
        return false;
    b->findings.items[known].count += count;
    return true;
}

void teller_say(struct teller_block *b, struct finding *f, uint64_t count,
                const char *hint, const char *format, ...)
{
    char message[900];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    f->message = message;
    f->hint = (char *)(uintptr_t)hint;
    f->count = count;
    finding_add(&b->findings, f);
}
