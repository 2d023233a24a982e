/* Blocks that leave something for others: the last block adds up what all
 * left, block 0 waits for the flag of each block, all blocks wait for each
 * other, or one thread after the other takes a lock and adds.
 *
 * Each part of the pattern has several forms, right ones and careless ones;
 * whether the whole races follows from the choices by the rules of the PTX
 * ISA, 8.9: what is written before a release is seen after an acquire. */
#include "tests/support/random_program.h"
#include <stdio.h>
#include <string.h>

enum writers { WRITERS_ALL, WRITERS_LANES, WRITERS_ONE };
enum fence { FENCE_NONE, FENCE_GPU, FENCE_BLOCK };
enum sem { SEM_RELAXED, SEM_RELEASE, SEM_ACQUIRE, SEM_BOTH };
enum load { LOAD_WEAK, LOAD_VOLATILE, LOAD_CG, LOAD_RELAXED };

enum pattern { BY_TICKET, BY_FLAG, BY_GRID, BY_LOCK };

struct message {
    uint32_t threads, grid;
    enum pattern pattern;
    enum writers writers;
    bool has_join; /* a barrier between the writers and the ticket */
    enum fence before, after;
    enum sem sem; /* of the ticket; of the flag's store and load; of the lock */
    bool is_narrow; /* the lock is of the block's scope */
    enum load load;
    bool all_read; /* the whole last block, after a barrier */
    bool is_early; /* the block before the last */
};

static uint32_t below(struct random *r, uint32_t n)
{
    return (uint32_t)random_below(r, n);
}

/* Mostly right: so the careless choices come one at a time. */
static enum fence some_fence(struct random *r)
{
    static const enum fence kinds[] = {FENCE_GPU, FENCE_GPU,  FENCE_GPU,
                                       FENCE_GPU, FENCE_NONE, FENCE_BLOCK};
    return kinds[below(r, 6)];
}

static void choose(struct message *m, struct random *r)
{
    static const uint32_t threads[] = {1, 32, 64, 96};
    *m = (struct message){
        .threads = threads[below(r, 4)],
        .grid = 1 + below(r, 4),
        .pattern = (enum pattern)below(r, 4),
        .is_narrow = below(r, 4) == 0,
        .writers = (enum writers)below(r, 3),
        .has_join = below(r, 5) != 0,
        .before = some_fence(r),
        .after = some_fence(r),
        .sem = below(r, 2) ? SEM_RELAXED : (enum sem)below(r, 4),
        .load = below(r, 2) ? LOAD_WEAK : (enum load)below(r, 4),
        .all_read = below(r, 2),
        .is_early = below(r, 12) == 0};
    if (m->pattern != BY_TICKET)
        m->all_read = m->is_early = false;
    if (m->pattern == BY_FLAG && m->grid < 2)
        m->grid = 2;
    if (m->pattern == BY_LOCK && m->writers == WRITERS_ALL && m->threads > 32)
        m->threads = 32; /* they queue up */
}

/* ---- the truth ------------------------------------------------------------------ */

/* Who takes the lock; two of them race if one side of it is open. */
static bool is_racy_lock(const struct message *m)
{
    uint32_t lockers = m->writers == WRITERS_ALL     ? m->threads
                       : m->writers == WRITERS_LANES ? (m->threads + 31) / 32
                                                     : 1;
    bool here = m->grid == 1;
    bool released = m->before == FENCE_GPU ||
                    (here && m->before == FENCE_BLOCK) ||
                    m->sem == SEM_RELEASE || m->sem == SEM_BOTH;
    bool acquired = m->after == FENCE_GPU ||
                    (here && m->after == FENCE_BLOCK) ||
                    m->sem == SEM_ACQUIRE || m->sem == SEM_BOTH;
    return lockers * m->grid > 1 &&
           (!released || !acquired || (m->is_narrow && !here));
}

static bool is_racy(const struct message *m)
{
    if (m->pattern == BY_LOCK)
        return is_racy_lock(m);
    bool is_one = m->writers == WRITERS_ONE || m->threads == 1;
    bool joined = m->has_join || is_one;
    bool released =
        m->before == FENCE_GPU || m->sem == SEM_RELEASE || m->sem == SEM_BOTH;
    bool acquired = m->after == FENCE_GPU || m->sem == SEM_ACQUIRE ||
                    m->sem == SEM_BOTH || m->load != LOAD_WEAK;
    if (m->grid == 1 && m->is_early)
        return false; /* nobody ever reads */
    if (!joined && (m->threads > 32 || m->writers == WRITERS_ALL))
        return m->grid > 1 || !(m->all_read || m->pattern == BY_GRID);
    return m->grid > 1 && (!released || !acquired || m->is_early);
}

/* ---- the text ---------------------------------------------------------------------- */

static const char *sem_word(enum sem s)
{
    static const char *const words[] = {".relaxed", ".release", ".acquire",
                                        ".acq_rel"};
    return words[s];
}

static const char *load_word(enum load l)
{
    static const char *const words[] = {"ld.global", "ld.volatile.global",
                                        "ld.global.cg",
                                        "ld.relaxed.gpu.global"};
    return words[l];
}

static const char *fence_word(enum fence f)
{
    static const char *const words[] = {"", "    membar.gl;\n",
                                        "    membar.cta;\n"};
    return words[f];
}

static void emit_head(struct text *t)
{
    text_puts(t, ".version 7.0\n.target sm_80\n.address_size 64\n"
                 ".file 1 \"random.cu\"\n"
                 ".global .align 4 .u32 tickets;\n"
                 ".visible .entry k(.param .u64 g)\n{\n"
                 "    .reg .pred %p<4>;\n    .reg .b32 %r<20>;\n"
                 "    .reg .b64 %rd<10>;\n    .reg .f32 %f<4>;\n"
                 "    .shared .align 4 .u32 is_last;\n"
                 "    ld.param.u64 %rd1, [g];\n"
                 "    cvta.to.global.u64 %rd1, %rd1;\n"
                 "    mov.u32 %r1, %tid.x;\n    mov.u32 %r2, %ntid.x;\n"
                 "    mov.u32 %r3, %ctaid.x;\n    mov.u32 %r4, %nctaid.x;\n");
}

/* Line 1: every writer leaves a float in g[1024 + block * threads + tid]. */
static void emit_writers(struct text *t, const struct message *m)
{
    const char *who[] = {"    setp.ge.u32 %p1, %r1, 0;\n",
                         "    setp.eq.u32 %p1, %r5, 0;\n",
                         "    setp.eq.u32 %p1, %r1, 0;\n"};
    text_puts(t, "    .loc 1 1 0\n    and.b32 %r5, %r1, 31;\n");
    text_puts(t, who[m->writers]);
    text_puts(t, "    mad.lo.u32 %r6, %r3, %r2, %r1;\n"
                 "    add.u32 %r6, %r6, 1024;\n"
                 "    mul.wide.u32 %rd2, %r6, 4;\n"
                 "    add.u64 %rd2, %rd2, %rd1;\n"
                 "    add.u32 %r7, %r6, 1065353216;\n"
                 "    mov.b32 %f1, %r7;\n"
                 "    @%p1 st.global.f32 [%rd2], %f1;\n");
    if (m->has_join)
        text_puts(t, "    bar.sync 0;\n");
    text_puts(t, "    setp.ne.u32 %p2, %r1, 0;\n");
}

/* Who reads takes what the writers of %r10 .. %r11 blocks left. */
static void emit_reading(struct text *t, const struct message *m)
{
    uint32_t step = m->writers == WRITERS_ALL ? 1
                    : m->writers == WRITERS_LANES && m->threads > 32
                        ? 32
                        : m->threads;
    text_printf(t,
                "    mul.lo.u32 %%r12, %%r10, %%r2;\n"
                "    mul.lo.u32 %%r13, %%r11, %%r2;\n"
                "more:\n"
                "    setp.ge.u32 %%p3, %%r12, %%r13;\n    @%%p3 bra done;\n"
                "    add.u32 %%r14, %%r12, 1024;\n"
                "    mul.wide.u32 %%rd3, %%r14, 4;\n"
                "    add.u64 %%rd3, %%rd3, %%rd1;\n"
                "    .loc 1 4 0\n"
                "    %s.f32 %%f2, [%%rd3];\n"
                "    add.u32 %%r12, %%r12, %u;\n    bra more;\ndone:\n",
                load_word(m->load), step);
}

static void emit_ticket(struct text *t, const struct message *m)
{
    text_puts(t, "    @%p2 bra wait;\n    .loc 1 2 0\n");
    text_puts(t, fence_word(m->before));
    text_printf(t, "    atom%s.gpu.global.add.u32 %%r8, [tickets], 1;\n",
                sem_word(m->sem));
    text_puts(t, fence_word(m->after));
    text_printf(t, "    sub.u32 %%r9, %%r4, %d;\n", m->is_early ? 2 : 1);
    text_puts(t, "    setp.eq.u32 %p1, %r8, %r9;\n"
                 "    selp.u32 %r9, 1, 0, %p1;\n"
                 "    .loc 1 3 0\n    st.shared.u32 [is_last], %r9;\nwait:\n");
    if (m->all_read)
        text_puts(t, "    bar.sync 0;\n");
    else
        text_puts(t, "    @%p2 bra done;\n");
    text_puts(t, "    .loc 1 3 0\n    ld.shared.u32 %r9, [is_last];\n"
                 "    setp.eq.u32 %p1, %r9, 0;\n    @%p1 bra done;\n"
                 "    mov.u32 %r10, 0;\n    mov.u32 %r11, %r4;\n");
    emit_reading(t, m);
}

static void emit_flag(struct text *t, const struct message *m)
{
    bool is_release = m->sem == SEM_RELEASE || m->sem == SEM_BOTH;
    bool is_acquire = m->sem == SEM_ACQUIRE || m->sem == SEM_BOTH;
    text_puts(t, "    @%p2 bra done;\n    .loc 1 2 0\n");
    text_puts(t, fence_word(m->before));
    text_puts(t, "    mul.wide.u32 %rd4, %r3, 4;\n"
                 "    add.u64 %rd4, %rd4, %rd1;\n");
    text_printf(t, "    st.%s.gpu.global.u32 [%%rd4], 1;\n",
                is_release ? "release" : "relaxed");
    text_puts(t, "    setp.ne.u32 %p1, %r3, 0;\n    @%p1 bra done;\n"
                 "    mov.u32 %r15, 1;\nnext:\n"
                 "    mul.wide.u32 %rd5, %r15, 4;\n"
                 "    add.u64 %rd5, %rd5, %rd1;\n    .loc 1 3 0\nspin:\n");
    text_printf(t, "    ld.%s.gpu.global.u32 %%r16, [%%rd5];\n",
                is_acquire ? "acquire" : "relaxed");
    text_puts(t, "    setp.ne.u32 %p3, %r16, 1;\n    @%p3 bra spin;\n"
                 "    add.u32 %r15, %r15, 1;\n"
                 "    setp.lt.u32 %p3, %r15, %r4;\n    @%p3 bra next;\n");
    text_puts(t, fence_word(m->after));
    text_puts(t, "    mov.u32 %r10, 1;\n    mov.u32 %r11, %r4;\n");
    emit_reading(t, m);
}

/* All blocks meet at a counter. */
static void emit_grid(struct text *t, const struct message *m)
{
    bool is_release = m->sem == SEM_RELEASE || m->sem == SEM_BOTH;
    bool is_acquire = m->sem == SEM_ACQUIRE || m->sem == SEM_BOTH;
    text_puts(t, "    @%p2 bra wait;\n    .loc 1 2 0\n");
    text_puts(t, fence_word(m->before));
    text_printf(t,
                "    red.%s.gpu.global.add.u32 [tickets], 1;\n"
                "    .loc 1 3 0\nspin:\n"
                "    ld.%s.gpu.global.u32 %%r16, [tickets];\n"
                "    setp.lt.u32 %%p3, %%r16, %%r4;\n    @%%p3 bra spin;\n",
                is_release ? "release" : "relaxed",
                is_acquire ? "acquire" : "relaxed");
    text_puts(t, fence_word(m->after));
    text_puts(t, "wait:\n    bar.sync 0;\n    mov.u32 %r10, 0;\n"
                 "    mov.u32 %r11, %r4;\n");
    emit_reading(t, m);
}

/* Each of the writers adds to one word, one after the other. */
static void emit_lock(struct text *t, const struct message *m)
{
    static const char *const who[] = {"    setp.ge.u32 %p1, %r1, 0;\n",
                                      "    setp.eq.u32 %p1, %r5, 0;\n",
                                      "    setp.eq.u32 %p1, %r1, 0;\n"};
    const char *scope = m->is_narrow ? ".cta" : ".gpu";
    bool is_release = m->sem == SEM_RELEASE || m->sem == SEM_BOTH;
    bool is_acquire = m->sem == SEM_ACQUIRE || m->sem == SEM_BOTH;
    text_puts(t, "    and.b32 %r5, %r1, 31;\n");
    text_puts(t, who[m->writers]);
    text_printf(t,
                "    @!%%p1 bra done;\n    .loc 1 2 0\nspin:\n"
                "    atom.%s%s.global.cas.b32 %%r8, [tickets], 0, 1;\n"
                "    setp.ne.u32 %%p3, %%r8, 0;\n    @%%p3 bra spin;\n",
                is_acquire ? "acquire" : "relaxed", scope);
    text_puts(t, fence_word(m->after));
    text_puts(t, "    .loc 1 3 0\n    ld.global.u32 %r9, [%rd1];\n"
                 "    add.u32 %r9, %r9, %r1;\n    add.u32 %r9, %r9, 1;\n"
                 "    .loc 1 4 0\n    st.global.u32 [%rd1], %r9;\n"
                 "    .loc 1 2 0\n");
    text_puts(t, fence_word(m->before));
    text_printf(t, "    atom.%s%s.global.exch.b32 %%r8, [tickets], 0;\ndone:\n",
                is_release ? "release" : "relaxed", scope);
}

static void describe(const struct message *m, char *to, size_t size)
{
    static const char *const fences[] = {"no fence", "a fence",
                                         "a fence of the block"};
    static const char *const writers[] = {"all threads", "lanes 0", "thread 0"};
    static const char *const patterns[] = {"tickets", "flags", "a counter",
                                           "a lock"};
    snprintf(to, size, "by %s: %s write%s, %s, %s%s, %s, %s by %s",
             patterns[m->pattern], writers[m->writers],
             m->has_join ? ", barrier" : "", fences[m->before],
             sem_word(m->sem) + 1, m->is_early ? " one too early" : "",
             fences[m->after], load_word(m->load),
             m->all_read ? "all" : "thread 0");
}

void message_make(struct message_program *p, struct random *r, struct text *t)
{
    struct message m;
    choose(&m, r);
    *p = (struct message_program){
        .threads = m.threads, .grid = m.grid, .is_racy = is_racy(&m)};
    describe(&m, p->what, sizeof p->what);
    emit_head(t);
    if (m.pattern != BY_LOCK)
        emit_writers(t, &m);
    switch (m.pattern) {
    case BY_FLAG: emit_flag(t, &m); break;
    case BY_GRID: emit_grid(t, &m); break;
    case BY_LOCK: emit_lock(t, &m); break;
    default: emit_ticket(t, &m); break;
    }
    text_puts(t, "    ret;\n}\n");
}
