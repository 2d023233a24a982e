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

/* What is missing, the greater need last: who orders blocks orders threads. */
enum need {
    NEED_WARP,     /* a __syncwarp() would do */
    NEED_BARRIER,  /* a __syncthreads() */
    NEED_ONE,      /* threads write at once: only one may */
    NEED_FENCE,    /* the atomic is there, its fence is not */
    NEED_SCOPE,    /* atomics that hold inside a block only */
    NEED_CACHE,    /* a load through a cache that sees no write */
    NEED_GRID,     /* blocks: no barrier orders them */
    NEED_ADDITION, /* a word is read, added to and written back */
};
static const struct {
    const char *missing, *hint;
} words[] = {
    [NEED_WARP] = {"no __syncwarp() orders the two",
                   "lanes of a warp need not move together: read, "
                   "__syncwarp(), write, __syncwarp()"},
    [NEED_BARRIER] = {"no __syncthreads() orders the two",
                      "every thread must pass a __syncthreads() between the "
                      "two"},
    [NEED_ONE] = {"the threads write different values at once",
                  "use an atomic, or let one thread write"},
    [NEED_FENCE] = {"the atomic orders the two only with a __threadfence() on "
                    "both sides",
                    "__threadfence() goes after the writes and before the "
                    "atomic, and again after it before the reads"},
    [NEED_SCOPE] = {"an atomic of the block's scope does not exclude other "
                    "blocks",
                    "atomicAdd() without _block is for the whole grid"},
    [NEED_CACHE] = {"the read-only cache of __ldg() need not see it",
                    "__ldg() and ld.global.nc are for memory that nobody "
                    "writes in the launch; a plain load or __ldcg() sees "
                    "what is written"},
    [NEED_GRID] = {"nothing orders blocks within a launch",
                   "use an atomic, a second launch, or let the last block "
                   "finish"},
    [NEED_ADDITION] = {"what one adds, the other overwrites",
                       "reading, adding and writing back are three steps, and "
                       "others come between; atomicAdd() is one"},
};

static bool is_same_place(const struct ptx_operand *a,
                          const struct ptx_operand *b)
{
    return a->kind == b->kind && a->reg == b->reg &&
           a->variable == b->variable && a->offset == b->offset;
}

/* `*p += x`: one reads and the other writes through the same pointer, both on
 * one line of the student's. */
static bool is_addition(const struct race *race, const struct race_report *r)
{
    const struct race_fact *now = &race->facts[r->insn];
    const struct race_fact *before = &race->facts[r->other];
    const struct ptx_insn *load = now->insn, *store = before->insn;
    if (load->op == OP_ST) {
        load = before->insn;
        store = now->insn;
    }
    return now->function == before->function && load->op == OP_LD &&
           store->op == OP_ST && load->line == store->line &&
           is_same_place(&load->operand[1], &store->operand[0]);
}

static enum need need_of(const struct race *race, const struct race_report *r)
{
    if (r->space == SPACE_GLOBAL && is_addition(race, r))
        return NEED_ADDITION;
    if (r->same_insn)
        return NEED_ONE;
    if (race->facts[r->insn].is_nc)
        return NEED_CACHE;
    if (r->block != r->other_block && r->is_atomic &&
        r->other_kind == PAST_ATOMIC)
        return NEED_SCOPE;
    if (r->block != r->other_block)
        return r->lacks_fence ? NEED_FENCE : NEED_GRID;
    return r->thread / WARP_LANES == r->other_thread / WARP_LANES
               ? NEED_WARP
               : NEED_BARRIER;
}

void race_tell(struct race_block *b, const struct race_report *r)
{
    struct told *t = find_told(b, r->insn, r->other);
    enum need need = need_of(b->race, r);
    if (t && (int)need <= t->weight) {
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
             kind_verb(r->other_kind), other->line, words[need].missing,
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
                            .weight = (int)need,
                            .hint = (char *)(uintptr_t)words[need].hint};
    finding_add(&b->findings, &found);
    if (t) {
        t->weight = (int)need;
        return;
    }
    if (b->told_count == b->told_capacity) {
        b->told_capacity = b->told_capacity ? 2 * b->told_capacity : 16;
        b->told = checked_realloc(b->told,
                                  (size_t)b->told_capacity * sizeof *b->told);
    }
    b->told[b->told_count++] = (struct told){
        r->insn, r->other, (int)need, finding_index(&b->findings, &found)};
}
