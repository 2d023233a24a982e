/* Which passes make up a cvt (PTX ISA 9.7.9): see alu_convert.h. */
#include "sim/alu_convert.h"

/* Passes are appended; the first one sits in the lowest byte. */
struct plan {
    uint64_t passes;
    int bits;
    bool failed;
};
static void add(struct plan *p, enum alu_pass pass)
{
    if (pass == PASS_NONE)
        p->failed = true;
    p->passes |= (uint64_t)pass << p->bits;
    p->bits += 8;
}

static bool is_integer(enum ptx_type t)
{
    return ptx_type_kind(t) == KIND_SIGNED || ptx_type_kind(t) == KIND_UNSIGNED;
}
static bool is_signed(enum ptx_type t)
{
    return ptx_type_kind(t) == KIND_SIGNED;
}

/* ---- integers cut and extended ------------------------------------------- */
/* What is kept of the source (bytes and sign), how far a sign reaches, and
 * the lane it goes to. */
struct copy {
    int kept_bytes, is_signed, becomes_bytes, lane_bytes;
    enum alu_pass from_4, from_8;
};
#define SIGNED_TYPE(type) ((type)-1 < (type)1)
#define BYTES_u32 4
#define BYTES_u64 8
static const struct copy copies[] = {
#define COPY(id, T, kept, becomes, source)              \
    {sizeof(kept), SIGNED_TYPE(kept),  sizeof(becomes), \
     BYTES_##T,    PASS_##id##_FROM_4, PASS_##id##_FROM_8},
    ALU_COPIES(COPY, )};

/* `kept` as the type to read, spread to `becomes` bytes, in a register of
 * `lane` bytes.  For unsigned numbers `becomes` does not matter; a sign that
 * reaches no further than the number itself neither. */
static enum alu_pass copy_pass(enum ptx_type kept, int becomes, int lane,
                               int source_lane)
{
    int bytes = ptx_type_bytes(kept);
    bool sign = is_signed(kept) && becomes > bytes;
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        const struct copy *c = &copies[i];
        if (c->kept_bytes == bytes && c->is_signed == sign &&
            c->lane_bytes == lane && (!sign || c->becomes_bytes == becomes))
            return source_lane == 8 ? c->from_8 : c->from_4;
    }
    return PASS_NONE;
}

static int lane_bytes(int register_bytes)
{
    return register_bytes == 8 ? 8 : 4;
}

/* An integer of type `t` that stands in a lane goes into a register of
 * `d_bytes`: its sign fills the register. */
static enum alu_pass write_pass(enum ptx_type t, int d_bytes, int source_lane)
{
    return copy_pass(t, d_bytes, lane_bytes(d_bytes), source_lane);
}

/* The type whose bits survive is the narrower one; where a signed number
 * becomes a wider unsigned one, its sign reaches that type's top only. */
static enum alu_pass plain_integer(const struct ptx_insn *insn, int d_bytes,
                                   int a_bytes)
{
    enum ptx_type d = insn->type, s = insn->type2;
    int reach = is_signed(d) ? d_bytes : ptx_type_bytes(d);
    if (ptx_type_bytes(d) <= ptx_type_bytes(s))
        return write_pass(d, d_bytes, lane_bytes(a_bytes));
    return copy_pass(s, reach, lane_bytes(d_bytes), lane_bytes(a_bytes));
}

static enum alu_pass clamp_pass(enum ptx_type d, bool from_signed)
{
    switch (d) {
    case PTX_U8: return from_signed ? PASS_S64_TO_U8 : PASS_U64_TO_U8;
    case PTX_U16: return from_signed ? PASS_S64_TO_U16 : PASS_U64_TO_U16;
    case PTX_U32: return from_signed ? PASS_S64_TO_U32 : PASS_U64_TO_U32;
    case PTX_U64: return from_signed ? PASS_S64_TO_U64 : PASS_NONE;
    case PTX_S8: return from_signed ? PASS_S64_TO_S8 : PASS_U64_TO_S8;
    case PTX_S16: return from_signed ? PASS_S64_TO_S16 : PASS_U64_TO_S16;
    case PTX_S32: return from_signed ? PASS_S64_TO_S32 : PASS_U64_TO_S32;
    case PTX_S64: return from_signed ? PASS_NONE : PASS_U64_TO_S64;
    default: return PASS_NONE;
    }
}

/* Widen an integer to 64 bits, unless it has them. */
static void read_integer(struct plan *p, enum ptx_type s, int a_bytes)
{
    if (ptx_type_bytes(s) < 8)
        add(p, copy_pass(s, 8, 8, lane_bytes(a_bytes)));
}

static void integer_to_integer(struct plan *p, const struct ptx_insn *insn,
                               int d_bytes, int a_bytes)
{
    enum ptx_type d = insn->type, s = insn->type2;
    bool clamps = (insn->flags & FLAG_SAT) && d != s &&
                  clamp_pass(d, is_signed(s)) != PASS_NONE;
    if (!clamps) {
        add(p, plain_integer(insn, d_bytes, a_bytes));
        return;
    }
    read_integer(p, s, a_bytes);
    add(p, clamp_pass(d, is_signed(s)));
    add(p, write_pass(d, d_bytes, 8));
}

/* ---- floats -------------------------------------------------------------- */
static void read_float(struct plan *p, enum ptx_type s, bool ftz)
{
    switch (s) {
    case PTX_F16: add(p, PASS_READ_F16); break;
    case PTX_BF16: add(p, PASS_READ_BF16); break;
    case PTX_F32: add(p, ftz ? PASS_READ_F32_FTZ : PASS_READ_F32); break;
    case PTX_F64: break; /* it is what passes work on */
    default: p->failed = true;
    }
}

static void round_to_integral(struct plan *p, enum ptx_rounding mode)
{
    switch (mode) {
    case ROUND_RNI: add(p, PASS_RINT); break;
    case ROUND_RZI: add(p, PASS_TRUNC); break;
    case ROUND_RMI: add(p, PASS_FLOOR); break;
    case ROUND_RPI: add(p, PASS_CEIL); break;
    default: break;
    }
}

/* The pass for a mode out of four that stand in the order RN RZ RM RP. */
static enum alu_pass in_mode(enum alu_pass first, enum ptx_rounding mode)
{
    bool is_fractional = mode >= ROUND_RN && mode <= ROUND_RP;
    return first + (is_fractional ? mode - ROUND_RN : 0);
}

static void write_float(struct plan *p, const struct ptx_insn *insn)
{
    enum ptx_type d = insn->type;
    if (d == PTX_F16X2 || d == PTX_F16)
        add(p, in_mode(PASS_F16_RN, insn->rounding));
    else if (d == PTX_BF16X2 || d == PTX_BF16)
        add(p, in_mode(PASS_BF16_RN, insn->rounding));
    else if (d == PTX_F32)
        add(p, in_mode(PASS_F32_RN, insn->rounding));
    else if (d != PTX_F64)
        p->failed = true;
    if (d == PTX_F32 && (insn->flags & FLAG_FTZ))
        add(p, PASS_FLUSH);
}

static void finish_float(struct plan *p, const struct ptx_insn *insn)
{
    if (insn->flags & FLAG_SAT)
        add(p, PASS_SATURATE);
    if (insn->flags & FLAG_RELU)
        add(p, PASS_RELU);
    write_float(p, insn);
}

static void integer_to_float(struct plan *p, const struct ptx_insn *insn,
                             int a_bytes)
{
    bool from_signed = is_signed(insn->type2);
    bool is_last_rounding = insn->type == PTX_F64;
    enum alu_pass odd = from_signed ? PASS_S64_TO_F64_ODD : PASS_U64_TO_F64_ODD;
    read_integer(p, insn->type2, a_bytes);
    add(p, is_last_rounding ? in_mode(odd + 1, insn->rounding) : odd);
    finish_float(p, insn);
}

static enum alu_pass integer_pass(enum ptx_type d)
{
    switch (d) {
    case PTX_U8: return PASS_TO_U8;
    case PTX_U16: return PASS_TO_U16;
    case PTX_U32: return PASS_TO_U32;
    case PTX_U64: return PASS_TO_U64;
    case PTX_S8: return PASS_TO_S8;
    case PTX_S16: return PASS_TO_S16;
    case PTX_S32: return PASS_TO_S32;
    case PTX_S64: return PASS_TO_S64;
    default: return PASS_NONE;
    }
}

/* A NaN gives 0 unless the source is f64: then it gives the integer with only
 * the top bit set.  (64-bit integers do so for every source: see TO_S64.) */
static enum alu_pass nan_pass(enum ptx_type d)
{
    switch (d) {
    case PTX_U8: return PASS_NAN_U8;
    case PTX_U16: return PASS_NAN_U16;
    case PTX_U32: return PASS_NAN_U32;
    case PTX_S8: return PASS_NAN_S8;
    case PTX_S16: return PASS_NAN_S16;
    default: return PASS_NAN_S32;
    }
}

/* Out of range is clamped, with or without .sat. */
static void float_to_integer(struct plan *p, const struct ptx_insn *insn,
                             int d_bytes)
{
    read_float(p, insn->type2, insn->flags & FLAG_FTZ);
    round_to_integral(p, insn->rounding);
    if (insn->type2 == PTX_F64 && ptx_type_bytes(insn->type) < 8)
        add(p, nan_pass(insn->type));
    add(p, integer_pass(insn->type));
    if (insn->type != PTX_U64 && insn->type != PTX_S64)
        add(p, write_pass(insn->type, d_bytes, 8));
}

/* Measured on an H200: f32 to f16 does not flush in spite of .ftz; NaN of an
 * f64 keeps its payload when narrowed, any other becomes the canonical one;
 * and a type to itself with nothing to do copies bits. */
static void float_to_float(struct plan *p, const struct ptx_insn *insn)
{
    enum ptx_type d = insn->type, s = insn->type2;
    bool to_f16 = d == PTX_F16 || d == PTX_F16X2;
    bool is_copy = d == s && insn->rounding == ROUND_NONE &&
                   !(insn->flags & (FLAG_FTZ | FLAG_SAT));
    if (is_copy && (d == PTX_F32 || d == PTX_F64)) {
        add(p, d == PTX_F32 ? PASS_U32_4_FROM_4 : PASS_U64_8_FROM_8);
        return;
    }
    read_float(p, s, (insn->flags & FLAG_FTZ) && !to_f16);
    round_to_integral(p, insn->rounding);
    if (s != PTX_F64 && d != PTX_F64)
        add(p, PASS_CANONICAL);
    finish_float(p, insn);
}

/* ---- what occurs often has a pass of its own ----------------------------- */
static const struct quick {
    enum ptx_type d, s;
    enum ptx_rounding rounding;
    enum alu_pass pass;
} quick[] = {
    {PTX_S32, PTX_F32, ROUND_RZI, PASS_F32_TO_S32},
    {PTX_U32, PTX_F32, ROUND_RZI, PASS_F32_TO_U32},
    {PTX_S64, PTX_F32, ROUND_RZI, PASS_F32_TO_S64},
    {PTX_S32, PTX_F64, ROUND_RZI, PASS_F64_TO_S32},
    {PTX_F32, PTX_S32, ROUND_RN, PASS_S32_TO_F32},
    {PTX_F32, PTX_U32, ROUND_RN, PASS_U32_TO_F32},
    {PTX_F32, PTX_S64, ROUND_RN, PASS_S64_TO_F32},
    {PTX_F32, PTX_U64, ROUND_RN, PASS_U64_TO_F32},
    {PTX_F64, PTX_S32, ROUND_RN, PASS_S32_TO_F64},
    {PTX_F64, PTX_U32, ROUND_RN, PASS_U32_TO_F64},
    {PTX_F32, PTX_F64, ROUND_RN, PASS_F64_TO_F32},
    {PTX_F32, PTX_F16, ROUND_NONE, PASS_F16_TO_F32},
    {PTX_F32, PTX_BF16, ROUND_NONE, PASS_BF16_TO_F32},
    {PTX_F16, PTX_F32, ROUND_RN, PASS_F32_TO_F16},
    {PTX_F16X2, PTX_F32, ROUND_RN, PASS_F32_TO_F16},
    {PTX_F32, PTX_F32, ROUND_RNI, PASS_F32_RINT},
    {PTX_F32, PTX_F32, ROUND_RZI, PASS_F32_TRUNC},
    {PTX_F32, PTX_F32, ROUND_RMI, PASS_F32_FLOOR},
    {PTX_F32, PTX_F32, ROUND_RPI, PASS_F32_CEIL},
};

static bool has_own_width(enum ptx_type t, int bytes)
{
    return lane_bytes(bytes) == (ptx_type_bytes(t) == 8 ? 8 : 4);
}

static enum alu_pass quick_pass(const struct ptx_insn *insn, int d_bytes,
                                int a_bytes)
{
    if (insn->flags & (FLAG_FTZ | FLAG_SAT | FLAG_RELU) ||
        !has_own_width(insn->type, d_bytes) ||
        !has_own_width(insn->type2, a_bytes))
        return PASS_NONE;
    for (size_t i = 0; i < sizeof quick / sizeof *quick; i++)
        if (quick[i].d == insn->type && quick[i].s == insn->type2 &&
            quick[i].rounding == insn->rounding)
            return quick[i].pass;
    return PASS_NONE;
}

uint64_t alu_plan(const struct ptx_insn *insn, int d_bytes, int a_bytes)
{
    struct plan p = {0};
    enum alu_pass at_once = quick_pass(insn, d_bytes, a_bytes);
    bool d_integer = is_integer(insn->type),
         s_integer = is_integer(insn->type2);
    if (at_once != PASS_NONE)
        return at_once;
    if (d_integer && s_integer)
        integer_to_integer(&p, insn, d_bytes, a_bytes);
    else if (d_integer)
        float_to_integer(&p, insn, d_bytes);
    else if (s_integer)
        integer_to_float(&p, insn, a_bytes);
    else
        float_to_float(&p, insn);
    return p.failed || p.bits > 64 ? 0 : p.passes;
}
