/* Running a launch again with other garbage.  See sim_again.h. */
#include "device/sim_again.h"

#include <stdlib.h>
#include <string.h>

/* Large floats (1e38) of both signs, so that a minimum shows them as well as a
 * maximum; as doubles they are large, too, and as integers. */
static const uint32_t other_garbage[] = {0x7e967699, 0xfe967699};

/* ---- snapshots --------------------------------------------------------------*/

static bool is_kept(const struct buffer *b)
{
    return b->role == BUFFER_DATA && !b->freed && b->bytes;
}

static size_t kept_bytes(const struct memory *m)
{
    size_t size = 0;
    for (int i = 0; i < m->count; i++)
        if (is_kept(m->buffers[i]))
            size += m->buffers[i]->bytes;
    return size;
}

void snapshot_take(struct snapshot *s, const struct memory *m)
{
    *s = (struct snapshot){.size = kept_bytes(m)};
    if (s->size > SNAPSHOT_MAX)
        return;
    s->bytes = checked_alloc(s->size + 1);
    size_t at = 0;
    for (int i = 0; i < m->count; i++) {
        const struct buffer *b = m->buffers[i];
        if (!is_kept(b))
            continue;
        memcpy(s->bytes + at, b->data, b->bytes);
        at += b->bytes;
    }
}

static void put_back(const struct snapshot *s, const struct memory *m)
{
    size_t at = 0;
    for (int i = 0; i < m->count; i++) {
        const struct buffer *b = m->buffers[i];
        if (!is_kept(b))
            continue;
        memcpy(b->data, s->bytes + at, b->bytes);
        at += b->bytes;
    }
}

void snapshot_free(struct snapshot *s)
{
    free(s->bytes);
    s->bytes = NULL;
}

/* ---- running again ------------------------------------------------------------*/

static bool same_text(const char *a, const char *b)
{
    return !strcmp(a ? a : "", b ? b : "");
}

static bool same_outcome(const struct launch_result *a,
                         const struct launch_result *b)
{
    return a->stop == b->stop &&
           a->thread_instructions == b->thread_instructions &&
           same_text(a->output, b->output);
}

static bool differs(const struct launch *l, const struct launch_result *ran,
                    const struct snapshot *before, const struct snapshot *after)
{
    struct launch_result again;
    struct error ignored;
    struct snapshot now;
    const struct memory *memory = launch_memory(l);
    put_back(before, memory);
    if (!launch_run(l, &again, &ignored))
        return false;
    bool same = same_outcome(ran, &again);
    if (same) {
        snapshot_take(&now, memory);
        same = now.bytes && !memcmp(now.bytes, after->bytes, after->size);
        snapshot_free(&now);
    }
    launch_result_free(&again);
    return !same;
}

static bool depends(const struct launch *given, const struct launch_result *ran,
                    const struct snapshot *before, const struct snapshot *after,
                    enum garbage garbage)
{
    struct launch l = *given;
    l.watchers = NULL;
    l.watcher_count = 0;
    l.progress = NULL;
    for (int k = 0; k < 2; k++) {
        l.garbage[garbage] = other_garbage[k];
        if (differs(&l, ran, before, after))
            return true;
    }
    return false;
}

void again_settle(const struct launch *l, const struct launch_result *ran,
                  const struct snapshot *before, struct finding_list *list)
{
    uint32_t doubts = finding_doubts(list);
    struct snapshot after = {0};
    if (!doubts)
        return;
    if (before->bytes)
        snapshot_take(&after, launch_memory(l));
    for (int g = GARBAGE_NONE + 1; g < GARBAGE_KINDS; g++) {
        if (!(doubts >> g & 1))
            continue;
        bool matters = after.bytes && ran->stop != STOP_CANCELLED &&
                       depends(l, ran, before, &after, (enum garbage)g);
        finding_settle(list, (enum garbage)g, matters);
    }
    if (after.bytes)
        put_back(&after, launch_memory(l));
    snapshot_free(&after);
}
