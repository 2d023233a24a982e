/* The words of a race finding. */
#include "watch/race.h"

#include "watch/name.h"

#include <stdio.h>
#include <stdlib.h>

static struct told *find_told(struct race_block *b, uint32_t insn,
                              uint32_t other)
{
    for (int i = 0; i < b->told_count; i++)
        if (b->told[i].insn == insn && b->told[i].other == other)
            return &b->told[i];
    return NULL;
}

static const char *verb(bool is_write, bool is_atomic)
{
    return is_atomic ? "updates" : is_write ? "writes" : "reads";
}

static const char *kind_verb(enum past_kind kind)
{
    return kind == PAST_WRITE  ? "writes"
           : kind == PAST_READ ? "reads"
                               : "updates";
}

static const char *missing(const struct race_report *r)
{
    if (r->same_insn)
        return "the threads write different values at once";
    if (r->block != r->other_block)
        return r->lacks_fence ? "the atomic orders the two only with a "
                                "__threadfence() on both sides"
                              : "nothing orders blocks within a launch";
    if (r->thread / WARP_LANES == r->other_thread / WARP_LANES)
        return "no __syncwarp() orders the two";
    return "no __syncthreads() orders the two";
}

static const char *hint(const struct race_report *r)
{
    if (r->same_insn)
        return "use an atomic, or let one thread write";
    if (r->block != r->other_block)
        return r->lacks_fence
                   ? "__threadfence() goes after the writes and before the "
                     "atomic, and again after it before the reads"
                   : "use an atomic, a second launch, or let the last block "
                     "finish";
    if (r->thread / WARP_LANES == r->other_thread / WARP_LANES)
        return "lanes of a warp need not move together: read, __syncwarp(), "
               "write, __syncwarp()";
    return "every thread must pass a __syncthreads() between the two";
}

void race_tell(struct race_block *b, const struct race_report *r)
{
    struct told *t = find_told(b, r->insn, r->other);
    if (t) {
        b->findings.items[t->finding].count++;
        return;
    }
    const struct ptx_function *f = b->race->facts[r->insn].function;
    const struct ptx_insn *insn = b->race->facts[r->insn].insn;
    const struct ptx_insn *other = b->race->facts[r->other].insn;
    char place[160], who[80], message[700];
    name_place(b->race->info, r->space, r->address, place, sizeof place);
    if (r->block == r->other_block)
        snprintf(who, sizeof who, "thread %u", r->other_thread);
    else
        snprintf(who, sizeof who, "thread %u of block %llu", r->other_thread,
                 (unsigned long long)r->other_block);
    snprintf(message, sizeof message,
             "race on %s: thread %u %s it here while %s %s it at line %d; %s "
             "(block %llu)",
             place, r->thread, verb(r->is_write, r->is_atomic), who,
             kind_verb(r->other_kind), other->line, missing(r),
             (unsigned long long)r->block);
    struct finding found = {.kind = "race",
                            .severity = SEVERITY_ERROR,
                            .space =
                                r->space == SPACE_SHARED ? "shared" : "global",
                            .file = (char *)(uintptr_t)name_file(f, insn),
                            .line = insn->line,
                            .other_line = other->line,
                            .message = message,
                            .has_thread = true,
                            .has_other = true,
                            .block = r->block,
                            .other_block = r->other_block,
                            .thread = r->thread,
                            .other_thread = r->other_thread,
                            .hint = (char *)(uintptr_t)hint(r)};
    finding_add(&b->findings, &found);
    if (b->told_count == b->told_capacity) {
        b->told_capacity = b->told_capacity ? 2 * b->told_capacity : 16;
        b->told = checked_realloc(b->told,
                                  (size_t)b->told_capacity * sizeof *b->told);
    }
    b->told[b->told_count++] =
        (struct told){r->insn, r->other, finding_index(&b->findings, &found)};
}
