/* Logic, shifts and everything that moves bits (PTX ISA 9.7.1 for the
 * integer part, 9.7.8 logic and shift, 9.7.9 prmt and shf).  Places, lengths
 * and shift amounts are 32-bit numbers even where the data has 64 bits. */
#include "sim/alu_lanes.h"

#define WIDTHS(X) X(u16, B16) X(u32, B32) X(u64, B64)
#define DEFINE_LOGIC(T, TYPE)         \
    BINARY(and_##T, T, T, T, (A & B)) \
    BINARY(or_##T, T, T, T, A | B)    \
    BINARY(xor_##T, T, T, T, A ^ B)   \
    UNARY(not_##T, T, T, ~A)          \
    UNARY(cnot_##T, T, T, A == 0)
WIDTHS(DEFINE_LOGIC)
#define ROWS_LOGIC(T, TYPE)             \
    ROW(AND, TYPE, NONE, 0, 0, and_##T) \
    ROW(OR, TYPE, NONE, 0, 0, or_##T)   \
    ROW(XOR, TYPE, NONE, 0, 0, xor_##T) \
    ROW(NOT, TYPE, NONE, 0, 0, not_##T) \
    ROW(CNOT, TYPE, NONE, 0, 0, cnot_##T)

/* lop3: bit number (a b c) of the table is the result; the table comes as a
 * constant array in e.  One mask per entry of the table. */
ALU_HEAD(lop3)
{
    lane_u32 *d = ALIGNED(d_);
    const lane_u32 *a = ALIGNED(a_), *b = ALIGNED(b_), *c = ALIGNED(c_);
    const lane_u32 table = *(const lane_u32 *)e_;
    uint32_t entry[8];
    for (int k = 0; k < 8; k++)
        entry[k] = 0u - (table >> k & 1);
    EACH_LANE
    {
        uint32_t c0 = ~c[i], c1 = c[i], b0 = ~b[i], b1 = b[i];
        uint32_t low = (b0 & ((c0 & entry[0]) | (c1 & entry[1]))) |
                       (b1 & ((c0 & entry[2]) | (c1 & entry[3])));
        uint32_t high = (b0 & ((c0 & entry[4]) | (c1 & entry[5]))) |
                        (b1 & ((c0 & entry[6]) | (c1 & entry[7])));
        d[i] = (~a[i] & low) | (a[i] & high);
    }
}

/* ---- shifts: amounts beyond the width clamp to it ------------------------ */
#define AMOUNT(T) (B & (BITS_##T - 1))
#define FITS(T) (B < BITS_##T)
#define DEFINE_SHIFT(T, TYPE)                                          \
    BINARY(shl_##T, T, T, u32, FITS(T) ? (WRAP_##T)A << AMOUNT(T) : 0) \
    BINARY(shr_##T, T, T, u32, FITS(T) ? A >> AMOUNT(T) : 0)
WIDTHS(DEFINE_SHIFT)
#define SIGNED_WIDTHS(X) X(s16, S16) X(s32, S32) X(s64, S64)
#define DEFINE_ARITHMETIC(T, TYPE) \
    BINARY(shr_##T, T, T, u32, A >> (FITS(T) ? AMOUNT(T) : BITS_##T - 1))
SIGNED_WIDTHS(DEFINE_ARITHMETIC)
#define ROWS_SHIFT(T, TYPE)             \
    ROW(SHL, TYPE, NONE, 0, 0, shl_##T) \
    ROW(SHR, TYPE, NONE, 0, 0, shr_##T)
#define UNSIGNED_WIDTHS(X) X(u16, U16) X(u32, U32) X(u64, U64)
#define ROWS_SHR(T, TYPE) ROW(SHR, TYPE, NONE, 0, 0, shr_##T)

/* shf: a window of 32 bits over b:a, shifted left or right. */
#define WRAPPED (C & 31)
#define CLAMPED (C < 32 ? C : 32)
#define WINDOW ((uint64_t)B << 32 | A)
TERNARY(shf_l_wrap, u32, u32, u32, u32, WINDOW << WRAPPED >> 32)
TERNARY(shf_r_wrap, u32, u32, u32, u32, WINDOW >> WRAPPED)
TERNARY(shf_l_clamp, u32, u32, u32, u32, WINDOW << CLAMPED >> 32)
TERNARY(shf_r_clamp, u32, u32, u32, u32, WINDOW >> CLAMPED)

/* ---- counting ------------------------------------------------------------ */
static inline uint32_t popc_u32(uint32_t x)
{
    x = x - (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    return x * 0x01010101u >> 24;
}
static inline uint32_t popc_u64(uint64_t x)
{
    return popc_u32((uint32_t)x) + popc_u32((uint32_t)(x >> 32));
}
/* All bits from the top one down: what is left to count are the zeros. */
static inline uint32_t clz_u32(uint32_t x)
{
    x |= x >> 1;
    x |= x >> 2;
    x |= x >> 4;
    x |= x >> 8;
    x |= x >> 16;
    return popc_u32(~x);
}
static inline uint32_t clz_u64(uint64_t x)
{
    uint32_t high = (uint32_t)(x >> 32);
    uint32_t low_zeros = 32 + clz_u32((uint32_t)x);
    return high == 0 ? low_zeros : clz_u32(high);
}
static inline uint32_t reverse_u32(uint32_t x)
{
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
    x = (x & 0x00ff00ffu) << 8 | (x >> 8 & 0x00ff00ffu);
    return x << 16 | x >> 16;
}
static inline uint64_t reverse_u64(uint64_t x)
{
    return (uint64_t)reverse_u32((uint32_t)x) << 32 |
           reverse_u32((uint32_t)(x >> 32));
}
#define DEFINE_COUNT(T, TYPE)             \
    UNARY(count_##T, u32, T, popc_##T(A)) \
    UNARY(zeros_##T, u32, T, clz_##T(A))  \
    UNARY(brev_##T, T, T, reverse_##T(A))
#define COUNTED(X) X(u32, B32) X(u64, B64)
COUNTED(DEFINE_COUNT)
#define ROWS_COUNT(T, TYPE)                \
    ROW(POPC, TYPE, NONE, 0, 0, count_##T) \
    ROW(CLZ, TYPE, NONE, 0, 0, zeros_##T)  \
    ROW(BREV, TYPE, NONE, 0, 0, brev_##T)

/* bfind: the top bit that differs from the sign; all ones if there is none.
 * .shiftamt: how far left that bit has to go instead of where it is. */
#define SIGNIFICANT_u32(x) (x)
#define SIGNIFICANT_u64(x) (x)
#define SIGNIFICANT_s32(x) ((uint32_t)((x) < 0 ? ~(x) : (x)))
#define SIGNIFICANT_s64(x) ((uint64_t)((x) < 0 ? ~(x) : (x)))
#define FIND(T, U, result) (SIGNIFICANT_##T(A) == 0 ? ~0u : (result))
#define TOP_ZEROS(T, U) clz_##U(SIGNIFICANT_##T(A))
#define DEFINE_FIND(T, U, TYPE)                                          \
    UNARY(bfind_##T, u32, T, FIND(T, U, BITS_##T - 1 - TOP_ZEROS(T, U))) \
    UNARY(bfind_shift_##T, u32, T, FIND(T, U, TOP_ZEROS(T, U)))
#define FOUND(X) \
    X(u32, u32, U32) X(s32, u32, S32) X(u64, u64, U64) X(s64, u64, S64)
FOUND(DEFINE_FIND)
#define ROWS_FIND(T, U, TYPE)               \
    ROW(BFIND, TYPE, NONE, 0, 0, bfind_##T) \
    ROW(BFIND, TYPE, NONE, 0, FLAG_SHIFTAMT, bfind_shift_##T)

/* fns: the offset-th one bit at or beyond base, downwards when offset < 0. */
static inline uint32_t nth_set(uint32_t mask, uint32_t base, int32_t offset)
{
    if (offset == 0)
        return base < 32 && (mask >> base & 1) ? base : UINT32_MAX;
    uint32_t left = (offset < 0 ? 0u - (uint32_t)offset : (uint32_t)offset) - 1;
    uint32_t step = offset < 0 ? UINT32_MAX : 1;
    for (uint32_t at = base; at < 32; at += step)
        if ((mask >> at & 1) && left-- == 0)
            return at;
    return UINT32_MAX;
}
TERNARY(fns, u32, u32, u32, s32, nth_set(A, B, C))

/* ---- bit fields ---------------------------------------------------------- */
/* Place and length are the low bytes of their operands.  The ISA says so for
 * all widths, but where the data has 64 bits, an H200 takes them whole. */
#define BYTE_u32(x) (0xff & (x))
#define BYTE_s32(x) (0xff & (x))
#define BYTE_u64(x) (x)
#define BYTE_s64(x) (x)
/* `length` ones; all of them from the width on */
#define ONES(T, length)                                                     \
    ((length) < BITS_##T ? ((WRAP_##T)1 << ((length) & (BITS_##T - 1))) - 1 \
                         : ~(WRAP_##T)0)
/* Signed: beyond the top, bits read as the sign; the field's own top bit is
 * then spread by flipping it and taking it away. */
#define PLACE(T) BYTE_##T(B)
#define LENGTH(T) BYTE_##T(C)
#define FIELD_u(T)                                               \
    (PLACE(T) < BITS_##T                                         \
         ? A >> (PLACE(T) & (BITS_##T - 1)) & ONES(T, LENGTH(T)) \
         : 0)
#define SIGN_BIT(T)                                          \
    (LENGTH(T) - 1 < BITS_##T                                \
         ? (WRAP_##T)1 << ((LENGTH(T) - 1) & (BITS_##T - 1)) \
         : 0)
#define RAW_s(T)                                                        \
    ((WRAP_##T)(A >> (PLACE(T) < BITS_##T ? PLACE(T) : BITS_##T - 1)) & \
     ONES(T, LENGTH(T)))
#define FIELD_s(T) ((RAW_s(T) ^ SIGN_BIT(T)) - SIGN_BIT(T))
TERNARY(bfe_u32, u32, u32, u32, u32, FIELD_u(u32))
TERNARY(bfe_u64, u64, u64, u32, u32, FIELD_u(u64))
TERNARY(bfe_s32, s32, s32, u32, u32, FIELD_s(s32))
TERNARY(bfe_s64, s64, s64, u32, u32, FIELD_s(s64))

/* bfi: operands are field a, background b, place c, length e. */
#define INSERT(T)                                                             \
    (BYTE_##T(C) < BITS_##T ? (B & ~(ONES(T, BYTE_##T(E)) << C_AMOUNT(T))) |  \
                                  ((A & ONES(T, BYTE_##T(E))) << C_AMOUNT(T)) \
                            : B)
#define C_AMOUNT(T) (C & (BITS_##T - 1))
QUATERNARY(bfi_u32, u32, u32, u32, u32, u32, INSERT(u32))
QUATERNARY(bfi_u64, u64, u64, u64, u32, u32, INSERT(u64))

/* szext: keep the low N bits of a, and their sign (9.7.1).  N = 0 gives 0;
 * N > 31 keeps all with .clamp, and counts modulo 32 with .wrap. */
#define KEEP_WRAP ONES(u32, B & 31)
#define KEEP_CLAMP ONES(u32, B)
#define TOP(keep) ((keep) ^ (keep) >> 1)
#define EXTEND(keep) (((A & (keep)) ^ TOP(keep)) - TOP(keep))
BINARY(szext_wrap_u32, u32, u32, u32, (A & KEEP_WRAP))
BINARY(szext_clamp_u32, u32, u32, u32, (A & KEEP_CLAMP))
BINARY(szext_wrap_s32, u32, u32, u32, EXTEND(KEEP_WRAP))
BINARY(szext_clamp_s32, u32, u32, u32, EXTEND(KEEP_CLAMP))

/* bmsk: b ones from place a.  What goes beyond bit 31 is lost; .wrap takes
 * both numbers modulo 32. */
BINARY(bmsk_wrap, u32, u32, u32, ONES(u32, B & 31) << (A & 31))
BINARY(bmsk_clamp, u32, u32, u32, A < 32 ? ONES(u32, B) << (A & 31) : 0)

/* ---- prmt: four bytes picked out of the eight of b:a --------------------- */
static inline uint32_t pick(uint32_t a, uint32_t b, uint32_t selector)
{
    uint32_t word = selector & 4 ? b : a;
    uint32_t byte = word >> (8 * (selector & 3)) & 0xff;
    /* bit 3 of a selector copies the byte's sign into all its bits */
    return selector & 8 ? (0u - (byte >> 7)) & 0xff : byte;
}
static inline uint32_t permute(uint32_t a, uint32_t b, uint32_t selectors)
{
    return pick(a, b, selectors) | pick(a, b, selectors >> 4) << 8 |
           pick(a, b, selectors >> 8) << 16 | pick(a, b, selectors >> 12) << 24;
}
TERNARY(prmt, u32, u32, u32, u32, permute(A, B, C))
/* The named modes: c[1:0] chooses one of four lists of selectors. */
#define PRMT_MODES(X)           \
    X(F4E, 0x6543543243213210u) \
    X(B4E, 0x0123701267015670u) \
    X(RC8, 0x3333222211110000u) \
    X(ECL, 0x3333322232113210u) \
    X(ECR, 0x3210221011100000u) X(RC16, 0x3232101032321010u)
#define DEFINE_PRMT(MODE, lists)             \
    TERNARY(prmt_##MODE, u32, u32, u32, u32, \
            permute(A, B, (uint32_t)((lists) >> (C & 3) * 16) & 0xffff))
PRMT_MODES(DEFINE_PRMT)
#define ROW_PRMT(MODE, lists) ROW(PRMT, B32, NONE, MODE_##MODE, 0, prmt_##MODE)

/* clang-format off */
static const struct alu_row rows[] = {
    WIDTHS(ROWS_LOGIC)
    ROW(LOP3, B32, NONE, 0, 0, lop3)
    WIDTHS(ROWS_SHIFT)
    UNSIGNED_WIDTHS(ROWS_SHR)
    SIGNED_WIDTHS(ROWS_SHR)
    COUNTED(ROWS_COUNT)
    FOUND(ROWS_FIND)
    ROW(FNS, B32, NONE, 0, 0, fns)
    ROW(BFE, U32, NONE, 0, 0, bfe_u32)
    ROW(BFE, S32, NONE, 0, 0, bfe_s32)
    ROW(BFE, U64, NONE, 0, 0, bfe_u64)
    ROW(BFE, S64, NONE, 0, 0, bfe_s64)
    ROW(BFI, B32, NONE, 0, 0, bfi_u32)
    ROW(BFI, B64, NONE, 0, 0, bfi_u64)
    ROW(SHF, B32, NONE, MODE_LEFT, FLAG_WRAP, shf_l_wrap)
    ROW(SHF, B32, NONE, MODE_RIGHT, FLAG_WRAP, shf_r_wrap)
    ROW(SHF, B32, NONE, MODE_LEFT, FLAG_CLAMP, shf_l_clamp)
    ROW(SHF, B32, NONE, MODE_RIGHT, FLAG_CLAMP, shf_r_clamp)
    ROW(SZEXT, U32, NONE, MODE_WRAP, 0, szext_wrap_u32)
    ROW(SZEXT, U32, NONE, MODE_CLAMP, 0, szext_clamp_u32)
    ROW(SZEXT, S32, NONE, MODE_WRAP, 0, szext_wrap_s32)
    ROW(SZEXT, S32, NONE, MODE_CLAMP, 0, szext_clamp_s32)
    ROW(BMSK, B32, NONE, MODE_WRAP, 0, bmsk_wrap)
    ROW(BMSK, B32, NONE, MODE_CLAMP, 0, bmsk_clamp)
    ROW(PRMT, B32, NONE, MODE_NONE, 0, prmt)
    PRMT_MODES(ROW_PRMT)
};
/* clang-format on */
ALU_TABLE(alu_bits);
