/* A chain as PTX.  Step k stands at line k + 1 of random.cu.
 *
 *     %r1 tid   %r2 lane   %r3 warp   %r4 block
 *     %r6 data in shared memory, %rd1 in global memory; %rd2 the flags */
#include "tests/support/random_chain.h"

static const char head[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".file 1 \"random.cu\"\n"
    ".global .align 4 .b8 flags[128];\n"
    ".visible .entry k(.param .u64 g)\n{\n"
    "    .reg .pred %p<4>;\n    .reg .b32 %r<40>;\n    .reg .b64 %rd<10>;\n"
    "    .shared .align 16 .b8 s[256];\n    .shared .align 4 .b8 near[128];\n"
    "    ld.param.u64 %rd1, [g];\n"
    "    mov.u32 %r1, %tid.x;\n    and.b32 %r2, %r1, 31;\n"
    "    shr.u32 %r3, %r1, 5;\n    mov.u32 %r4, %ctaid.x;\n"
    "    mov.u32 %r6, s;\n    mov.u32 %r30, 0;\n"
    "    cvta.to.global.u64 %rd1, %rd1;\n"
    /* flags in shared memory are 0 first */
    "    setp.ne.u32 %p1, %r1, 0;\n    @%p1 bra go;\n"
    "    mov.u32 %r10, near;\n    mov.u32 %r11, 0;\nzero:\n"
    "    st.shared.u32 [%r10], 0;\n    add.u32 %r10, %r10, 4;\n"
    "    add.u32 %r11, %r11, 4;\n    setp.lt.u32 %p1, %r11, 128;\n"
    "    @%p1 bra zero;\ngo:\n    bar.sync 0;\n";

static const char *scope_word(enum chain_scope s)
{
    static const char *const words[] = {".cta", ".gpu", ".sys"};
    return words[s];
}

static void emit_who(struct text *t, const struct chain_step *s)
{
    text_printf(t,
                "    mov.u32 %%r10, %u;\n    shr.u32 %%r10, %%r10, %%r4;\n"
                "    and.b32 %%r10, %%r10, 1;\n"
                "    and.b32 %%r11, %%r1, %u;\n"
                "    setp.eq.u32 %%p1, %%r11, %u;\n"
                "    setp.eq.and.u32 %%p1, %%r10, 1, %%p1;\n",
                s->blocks, s->mask, s->k);
}

static void emit_fence(struct text *t, const struct chain_step *s, int index)
{
    static const char *const words[] = {"membar.cta", "membar.gl",
                                        "fence.acq_rel.sys"};
    text_printf(t, "    @!%%p1 bra L%d;\n    %s;\nL%d:\n", index,
                words[s->scope], index);
}

static void emit_access(struct text *t, const struct chain_program *p,
                        const struct chain_step *s, int index)
{
    static const char *const types[] = {"", ".u8", ".u16", "", ".u32"};
    const char *space = s->is_shared ? ".shared" : ".global";
    const char *at = s->is_shared ? "%r13" : "%rd4";
    const char *guard = s->is_branch ? "" : "@%p1 ";
    if (s->is_branch)
        text_printf(t, "    @!%%p1 bra L%d;\n", index);
    text_printf(t,
                "    xor.b32 %%r12, %%r1, %u;\n    and.b32 %%r12, %%r12, %u;\n"
                "    mul.lo.u32 %%r12, %%r12, %u;\n"
                "    add.u32 %%r13, %%r12, %%r6;\n"
                "    cvt.u64.u32 %%rd3, %%r12;\n"
                "    add.u64 %%rd4, %%rd3, %%rd1;\n"
                "    mad.lo.u32 %%r14, %%r4, 128, %%r1;\n"
                "    add.u32 %%r14, %%r14, %d;\n",
                s->turn, s->size < 4 ? p->ring : p->ring >> 2, s->size,
                1000 * index + 1);
    if (s->kind == CHAIN_STORE)
        text_printf(t, "    %sst%s%s [%s], %%r14;\n", guard, space,
                    types[s->size], at);
    else if (s->kind == CHAIN_ADD)
        text_printf(t, "    %sred.relaxed%s%s.add.u32 [%s], %%r14;\n", guard,
                    scope_word(s->scope), space, at);
    else
        text_printf(t, "    %sld%s%s%s %%r20, [%s];\n", guard,
                    s->strength == IS_VOLATILE  ? ".volatile"
                    : s->strength == IS_RELAXED ? ".relaxed.gpu"
                                                : "",
                    space, types[s->size], at);
    if (s->kind == CHAIN_LOAD)
        text_printf(t, "    %sadd.u32 %%r30, %%r30, %%r20;\n", guard);
    if (s->is_branch)
        text_printf(t, "L%d:\n", index);
}

static void emit_barrier(struct text *t, const struct chain_step *s, int index)
{
    bool all_lanes = s->kind == CHAIN_LANES && s->lanes == 0xffffffffu;
    if (s->kind == CHAIN_BARRIER) {
        text_puts(t, "    bar.sync 0;\n");
        return;
    }
    if (!all_lanes)
        text_printf(t,
                    "    mov.u32 %%r10, %u;\n    shr.u32 %%r10, %%r10, %%r%d;\n"
                    "    and.b32 %%r10, %%r10, 1;\n"
                    "    setp.eq.u32 %%p2, %%r10, 0;\n    @%%p2 bra L%d;\n",
                    s->kind == CHAIN_LANES ? s->lanes : s->warps,
                    s->kind == CHAIN_LANES ? 2 : 3, index);
    if (s->kind == CHAIN_LANES)
        text_printf(t, "    bar.warp.sync %u;\n", s->lanes);
    else
        text_printf(t, "    bar.sync %d, %d;\n", s->id,
                    32 * __builtin_popcount(s->warps));
    text_printf(t, "L%d:\n", index);
}

/* `relaxed.gpu` and so on, for one side of a message. */
static void emit_way(struct text *t, const char *op, enum chain_strength way,
                     bool is_ordered, const char *order, enum chain_scope scope)
{
    if (way == IS_VOLATILE)
        text_printf(t, "%s.volatile", op);
    else
        text_printf(t, "%s.%s%s", op,
                    way == IS_ORDERED || (way == IS_ATOMIC && is_ordered)
                        ? order
                        : "relaxed",
                    scope_word(scope));
}

static void emit_party(struct text *t, const struct chain_party *who, int index,
                       char side)
{
    text_printf(t,
                "    setp.eq.u32 %%p1, %%r4, %u;\n"
                "    setp.eq.and.u32 %%p1, %%r1, %u, %%p1;\n"
                "    @!%%p1 bra L%d%c;\n",
                who->block, who->thread, index, side);
}

static void emit_message(struct text *t, const struct chain_step *s, int index)
{
    const char *space = s->is_shared ? ".shared" : ".global";
    emit_party(t, &s->from, index, 'a');
    const char *flag = s->is_shared ? "near" : "flags";
    text_puts(t, "    ");
    emit_way(t, s->send == IS_ATOMIC ? "atom" : "st", s->send, s->is_ordered,
             "release", s->scope);
    if (s->send == IS_ATOMIC)
        text_printf(t, "%s.add.u32 %%r21, [%s+%d], 1;\n", space, flag,
                    4 * index);
    else
        text_printf(t, "%s.u32 [%s+%d], 1;\n", space, flag, 4 * index);
    text_printf(t, "L%da:\n", index);
    emit_party(t, &s->to, index, 'b');
    text_printf(t, "S%d:\n    ", index);
    emit_way(t, s->receive == IS_ATOMIC ? "atom" : "ld", s->receive,
             s->is_ordered, "acquire", s->receive_scope);
    text_printf(t,
                s->receive == IS_ATOMIC ? "%s.add.u32 %%r22, [%s+%d], 0;\n"
                                        : "%s.u32 %%r22, [%s+%d];\n",
                space, flag, 4 * index);
    text_printf(t,
                "    setp.eq.u32 %%p2, %%r22, 0;\n    @%%p2 bra S%d;\nL%db:\n",
                index, index);
}

void chain_emit(const struct chain_program *p, struct text *t)
{
    text_puts(t, head);
    for (int k = 0; k < p->count; k++) {
        const struct chain_step *s = &p->steps[k];
        text_printf(t, "    .loc 1 %d 0\n", k + 1);
        if (s->kind <= CHAIN_FENCE)
            emit_who(t, s);
        if (s->kind == CHAIN_FENCE)
            emit_fence(t, s, k);
        else if (s->kind < CHAIN_FENCE)
            emit_access(t, p, s, k);
        else if (s->kind == CHAIN_MESSAGE)
            emit_message(t, s, k);
        else
            emit_barrier(t, s, k);
    }
    text_puts(t, "    ret;\n}\n");
}
