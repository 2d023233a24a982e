/* A random program as PTX.  Operation k stands at line k + 1 of random.cu.
 *
 *     %r1 tid   %r2 lane   %r3 warp   %r4 block   %r5 turn of the loop
 *     %r6 the array in shared memory   %rd1 in global memory, for all blocks
 *     %rd2 in global memory, the part of this block */
#include "tests/support/random_program.h"

static const char head[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".file 1 \"random.cu\"\n"
    ".visible .entry k(.param .u64 g)\n{\n"
    "    .reg .pred %p<4>;\n    .reg .b32 %r<40>;\n    .reg .b64 %rd<10>;\n"
    "    .shared .align 16 .b8 s[512];\n"
    "    ld.param.u64 %rd1, [g];\n"
    "    mov.u32 %r1, %tid.x;\n    and.b32 %r2, %r1, 31;\n"
    "    shr.u32 %r3, %r1, 5;\n    mov.u32 %r4, %ctaid.x;\n"
    "    mov.u32 %r5, 0;\n    mov.u32 %r6, s;\n"
    "    cvta.to.global.u64 %rd1, %rd1;\n"
    "    add.u32 %r7, %r4, 1;\n    mul.wide.u32 %rd2, %r7, 512;\n"
    "    add.u64 %rd2, %rd2, %rd1;\n";

/* ---- who --------------------------------------------------------------------- */

static void emit_who(struct text *t, const struct operation *op)
{
    uint32_t k = op->who_k;
    switch (op->who) {
    case WHO_BELOW:
        text_printf(t, "    setp.lt.u32 %%p1, %%r1, %u;\n", k);
        break;
    case WHO_FROM:
        text_printf(t, "    setp.ge.u32 %%p1, %%r1, %u;\n", k);
        break;
    case WHO_MASKED:
        text_printf(t, "    and.b32 %%r10, %%r1, %u;\n", op->who_mask);
        text_printf(t, "    setp.eq.u32 %%p1, %%r10, %u;\n", k);
        break;
    case WHO_WARP:
        text_printf(t, "    setp.eq.u32 %%p1, %%r3, %u;\n", k);
        break;
    case WHO_LANES:
        text_printf(t, "    setp.lt.u32 %%p1, %%r2, %u;\n", k);
        break;
    default: text_printf(t, "    setp.eq.u32 %%p1, %%r1, %u;\n", k); break;
    }
}

/* ---- where ------------------------------------------------------------------- */

/* The byte in the array goes to %r12. */
static void emit_where(struct text *t, const struct random_program *p,
                       const struct operation *op)
{
    uint32_t k = op->where_k;
    switch (op->where) {
    case WHERE_PLUS: text_printf(t, "    add.u32 %%r12, %%r1, %u;\n", k); break;
    case WHERE_MINUS:
        text_printf(t, "    mov.u32 %%r11, %u;\n", k);
        text_puts(t, "    sub.u32 %r12, %r11, %r1;\n");
        break;
    case WHERE_XOR: text_printf(t, "    xor.b32 %%r12, %%r1, %u;\n", k); break;
    case WHERE_SHIFT:
        text_printf(t, "    shr.u32 %%r12, %%r1, %u;\n", k);
        break;
    case WHERE_TIMES:
        text_printf(t, "    mul.lo.u32 %%r12, %%r1, %u;\n", k);
        break;
    case WHERE_PLACE: text_printf(t, "    mov.u32 %%r12, %u;\n", k); break;
    default: text_puts(t, "    mad.lo.u32 %r12, %r2, 4, %r3;\n"); break;
    }
    if (op->where_step)
        text_printf(t, "    mad.lo.u32 %%r12, %%r5, %u, %%r12;\n",
                    op->where_step);
    text_printf(t, "    and.b32 %%r12, %%r12, %u;\n", p->bytes / op->size - 1);
    text_printf(t, "    mul.lo.u32 %%r12, %%r12, %u;\n", op->size);
}

/* ---- accesses ---------------------------------------------------------------- */

static void emit_value(struct text *t, const struct operation *op, int index)
{
    if (op->kind == DO_STORE_SAME) {
        text_puts(t, "    mov.u32 %r14, 7;\n");
    } else {
        text_printf(t, "    add.u32 %%r14, %%r1, %u;\n",
                    256 * (uint32_t)index + 100);
        text_puts(t, "    mad.lo.u32 %r14, %r5, 8192, %r14;\n"
                     "    mad.lo.u32 %r14, %r4, 65536, %r14;\n");
    }
    if (op->size == 8 && !op->is_vector)
        text_puts(t, "    cvt.u64.u32 %rd5, %r14;\n");
}

static const char *type_of(const struct operation *op)
{
    switch (op->size) {
    case 1: return ".u8";
    case 2: return ".u16";
    case 8: return op->is_vector ? ".v2.b32" : ".b64";
    case 16: return ".v4.b32";
    default: return ".b32";
    }
}

static const char *registers_of(const struct operation *op)
{
    bool is_load = op->kind == DO_LOAD;
    switch (op->size) {
    case 8:
        if (!op->is_vector)
            return is_load ? "%rd6" : "%rd5";
        return is_load ? "{%r20, %r21}" : "{%r14, %r14}";
    case 16:
        return is_load ? "{%r20, %r21, %r22, %r23}"
                       : "{%r14, %r14, %r14, %r14}";
    default: return is_load ? "%r20" : "%r14";
    }
}

static void emit_access(struct text *t, const struct random_program *p,
                        const struct operation *op, int index,
                        const char *guard)
{
    const char *space = op->space == IN_BLOCK ? ".shared" : ".global";
    const char *at = op->space == IN_BLOCK ? "%r13" : "%rd4";
    emit_where(t, p, op);
    emit_value(t, op, index);
    if (op->space == IN_BLOCK)
        text_puts(t, "    add.u32 %r13, %r12, %r6;\n");
    else
        text_printf(t,
                    "    cvt.u64.u32 %%rd3, %%r12;\n"
                    "    add.u64 %%rd4, %%rd3, %s;\n",
                    op->space == IN_PART ? "%rd2" : "%rd1");
    if (op->kind == DO_LOAD)
        text_printf(t, "    %sld%s%s %s, [%s];\n", guard, space, type_of(op),
                    registers_of(op), at);
    else if (op->kind == DO_ATOMIC_ADD)
        text_printf(t, "    %sred%s.add.u32 [%s], %%r14;\n", guard, space, at);
    else
        text_printf(t, "    %sst%s%s [%s], %s;\n", guard, space, type_of(op),
                    at, registers_of(op));
}

/* ---- synchronising -------------------------------------------------------------- */

/* Only the warps of the set go on before the label. */
static void emit_warps(struct text *t, uint32_t warps, int index, char side)
{
    text_printf(t,
                "    mov.u32 %%r10, %u;\n    shr.u32 %%r10, %%r10, %%r3;\n"
                "    and.b32 %%r10, %%r10, 1;\n"
                "    setp.eq.u32 %%p2, %%r10, 0;\n    @%%p2 bra L%d%c;\n",
                warps, index, side);
}

static void emit_arrive(struct text *t, const struct operation *op, int index,
                        int id)
{
    int count = 32 * __builtin_popcount(op->warps | op->others);
    emit_warps(t, op->warps, index, 'a');
    text_printf(t, "    bar.arrive %d, %d;\nL%da:\n", id, count, index);
    emit_warps(t, op->others, index, 'b');
    text_printf(t, "    bar.sync %d, %d;\nL%db:\n", id, count, index);
}

static void emit_groups(struct text *t, uint32_t size)
{
    uint32_t one = size == 32 ? 0xffffffffu : (1u << size) - 1;
    text_printf(t,
                "    mov.u32 %%r10, %u;\n    and.b32 %%r11, %%r2, %u;\n"
                "    shl.b32 %%r10, %%r10, %%r11;\n"
                "    bar.warp.sync %%r10;\n",
                one, 32 - size);
}

static void emit_lanes(struct text *t, uint32_t mask, int index)
{
    if (mask != 0xffffffffu)
        text_printf(t,
                    "    mov.u32 %%r10, %u;\n    shr.u32 %%r10, %%r10, %%r2;\n"
                    "    and.b32 %%r10, %%r10, 1;\n"
                    "    setp.eq.u32 %%p2, %%r10, 0;\n    @%%p2 bra L%d;\n",
                    mask, index);
    text_printf(t, "    bar.warp.sync %u;\n", mask);
    if (mask != 0xffffffffu)
        text_printf(t, "L%d:\n", index);
}

/* Each barrier with a count has a number of its own. */
static int barrier_id(const struct random_program *p, int index)
{
    int id = 1;
    for (int k = 0; k < index; k++)
        id += p->ops[k].kind == DO_BARRIER_OF || p->ops[k].kind == DO_ARRIVE;
    return id;
}

static void emit_sync(struct text *t, const struct random_program *p, int index)
{
    const struct operation *op = &p->ops[index];
    int id = barrier_id(p, index);
    switch (op->kind) {
    case DO_BARRIER: text_puts(t, "    bar.sync 0;\n"); break;
    case DO_BARRIER_OF:
        emit_warps(t, op->warps, index, 'a');
        text_printf(t, "    bar.sync %d, %d;\nL%da:\n", id,
                    32 * __builtin_popcount(op->warps), index);
        break;
    case DO_ARRIVE: emit_arrive(t, op, index, id); break;
    case DO_WARP_GROUPS: emit_groups(t, op->size); break;
    default: emit_lanes(t, op->mask, index); break;
    }
}

/* ---- all ------------------------------------------------------------------------ */

static void emit_operation(struct text *t, const struct random_program *p,
                           int index)
{
    const struct operation *op = &p->ops[index];
    bool is_guarded =
        (op_is_access(op) || op->kind == DO_LEAVE) && op->who != WHO_ALL;
    text_printf(t, "    .loc 1 %d 0\n", index + 1);
    if (is_guarded)
        emit_who(t, op);
    if (is_guarded && op->is_branch)
        text_printf(t, "    @!%%p1 bra L%d;\n", index);
    const char *guard = is_guarded && !op->is_branch ? "@%p1 " : "";
    if (op_is_access(op))
        emit_access(t, p, op, index, guard);
    else if (op->kind == DO_LEAVE)
        text_printf(t, "    %sexit;\n", guard);
    else if (op_is_sync(op))
        emit_sync(t, p, index);
    else if (op->kind == DO_SHUFFLE)
        text_puts(t, "    shfl.sync.bfly.b32 %r30, %r1, 1, 31, -1;\n");
    else if (op->kind == DO_VOTE)
        text_puts(t, "    vote.sync.ballot.b32 %r31, 1, -1;\n");
    else
        text_puts(t, "    membar.gl;\n");
    if (is_guarded && op->is_branch)
        text_printf(t, "L%d:\n", index);
}

void program_emit(const struct random_program *p, struct text *t)
{
    text_puts(t, head);
    for (int k = 0; k <= p->count; k++) {
        if (p->turns > 1 && k == p->loop_from)
            text_puts(t, "again:\n");
        if (p->turns > 1 && k == p->loop_to)
            text_printf(t,
                        "    add.u32 %%r5, %%r5, 1;\n"
                        "    setp.lt.u32 %%p3, %%r5, %d;\n"
                        "    @%%p3 bra again;\n    mov.u32 %%r5, 0;\n",
                        p->turns);
        if (k < p->count)
            emit_operation(t, p, k);
    }
    text_puts(t, "    ret;\n}\n");
}
