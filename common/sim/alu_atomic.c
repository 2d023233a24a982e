/* What an atomic operation makes of one memory cell (PTX ISA 9.7.13, atom,
 * red, redux).  Lanes take turns, so these work on one value at a time; it
 * sits in the low bits of a uint64_t. */
#include "sim/alu_half.h"

#include <math.h>

#define CELL(name, expression)                                 \
    static uint64_t name(uint64_t old, uint64_t a, uint64_t b) \
    {                                                          \
        (void)old, (void)a, (void)b;                           \
        return (expression);                                   \
    }
#define S32(x) ((int32_t)(uint32_t)(x))
#define U32(x) ((uint32_t)(x))
#define S64(x) ((int64_t)(x))

CELL(add_32, U32(old + a))
CELL(add_64, old + a)
CELL(min_u32, U32(old) < U32(a) ? U32(old) : U32(a))
CELL(max_u32, U32(old) > U32(a) ? U32(old) : U32(a))
CELL(min_s32, S32(old) < S32(a) ? U32(old) : U32(a))
CELL(max_s32, S32(old) > S32(a) ? U32(old) : U32(a))
CELL(min_u64, old < a ? old : a)
CELL(max_u64, old > a ? old : a)
CELL(min_s64, S64(old) < S64(a) ? old : a)
CELL(max_s64, S64(old) > S64(a) ? old : a)
CELL(inc_u32, U32(old) >= U32(a) ? 0 : U32(old) + 1)
CELL(dec_u32, U32(old) == 0 || U32(old) > U32(a) ? U32(a) : U32(old) - 1)
CELL(exch, a)
CELL(cas_16, (uint16_t)old == (uint16_t)a ? b : old)
CELL(cas_32, U32(old) == U32(a) ? b : old)
CELL(cas_64, old == a ? b : old)
CELL(and_bits, (old & a))
CELL(or_bits, old | a)
CELL(xor_bits, old ^ a)

#define F32(x) f32_from(U32(x))
CELL(add_f32, f32_bits(canonical_f32(F32(old) + F32(a))))
/* Global memory flushes subnormals before and after, shared does not. */
CELL(add_f32_ftz, f32_bits(flush_f32(canonical_f32(flush_f32(F32(old)) +
                                                   flush_f32(F32(a))))))
/* NaN: in shared memory the GPU runs an add in a loop, the unit behind global
 * memory hands an operand through, b first.  Measured on an H200. */
#define F64_SUM(old, a) (f64_from(old) + f64_from(a))
#define IS_NAN(x) (f64_from(x) != f64_from(x))
CELL(add_f64_shared,
     f64_bits(nan_of_two(f64_from(old), f64_from(a), F64_SUM(old, a))))
CELL(add_f64, IS_NAN(a) ? a : IS_NAN(old) ? old : add_f64_shared(old, a, b))
/* Sums of two f16 or two bf16 are exact as doubles: rounded once. */
#define F16(x) ((double)f32_of_f16(U32(x) & 0xffff))
#define BF16(x) ((double)f32_of_bf16(U32(x) & 0xffff))
CELL(add_f16, f16_of(F16(old) + F16(a)))
CELL(add_bf16, bf16_of(BF16(old) + BF16(a)))
CELL(add_f16x2,
     f16_of(F16(old) + F16(a)) | f16_of(F16(old >> 16) + F16(a >> 16)) << 16)
CELL(add_bf16x2, bf16_of(BF16(old) + BF16(a)) |
                     bf16_of(BF16(old >> 16) + BF16(a >> 16)) << 16)

/* The queue of the first stage: a call for each of its additions would cost
 * more than they do. */
static uint64_t fold_f32_ftz(uint64_t cell, const uint8_t *value,
                             uint32_t count)
{
    float sum = flush_f32(F32(cell));
    for (uint32_t k = 0; k < count; k++) {
        float x;
        memcpy(&x, value + 4 * (size_t)k, sizeof x);
        sum += flush_f32(x);
        if (!(fabsf(sum) >= 0x1p-126f)) /* rare: 0, subnormal, NaN */
            sum = flush_f32(canonical_f32(sum));
    }
    return f32_bits(sum);
}

uint64_t alu_atomic_fold(alu_atomic_fn *function, uint64_t cell,
                         const uint8_t *value, uint32_t bytes, uint32_t count)
{
    if (function == add_f32_ftz)
        return fold_f32_ftz(cell, value, count);
    for (uint32_t k = 0; k < count; k++, value += bytes) {
        uint64_t v = 0;
        memcpy(&v, value, bytes);
        cell = function(cell, v, 0);
    }
    return cell;
}

static const struct {
    enum ptx_atomic operation;
    enum ptx_type type;
    alu_atomic_fn *function;
} cells[] = {
    {ATOMIC_ADD, PTX_U32, add_32},        {ATOMIC_ADD, PTX_S32, add_32},
    {ATOMIC_ADD, PTX_U64, add_64},        {ATOMIC_ADD, PTX_S64, add_64},
    {ATOMIC_ADD, PTX_F64, add_f64},       {ATOMIC_ADD, PTX_F16, add_f16},
    {ATOMIC_ADD, PTX_BF16, add_bf16},     {ATOMIC_ADD, PTX_F16X2, add_f16x2},
    {ATOMIC_ADD, PTX_BF16X2, add_bf16x2}, {ATOMIC_MIN, PTX_U32, min_u32},
    {ATOMIC_MAX, PTX_U32, max_u32},       {ATOMIC_MIN, PTX_S32, min_s32},
    {ATOMIC_MAX, PTX_S32, max_s32},       {ATOMIC_MIN, PTX_U64, min_u64},
    {ATOMIC_MAX, PTX_U64, max_u64},       {ATOMIC_MIN, PTX_S64, min_s64},
    {ATOMIC_MAX, PTX_S64, max_s64},       {ATOMIC_INC, PTX_U32, inc_u32},
    {ATOMIC_DEC, PTX_U32, dec_u32},       {ATOMIC_EXCH, PTX_B32, exch},
    {ATOMIC_EXCH, PTX_B64, exch},         {ATOMIC_CAS, PTX_B16, cas_16},
    {ATOMIC_CAS, PTX_B32, cas_32},        {ATOMIC_CAS, PTX_B64, cas_64},
    {ATOMIC_AND, PTX_B32, and_bits},      {ATOMIC_AND, PTX_B64, and_bits},
    {ATOMIC_OR, PTX_B32, or_bits},        {ATOMIC_OR, PTX_B64, or_bits},
    {ATOMIC_XOR, PTX_B32, xor_bits},      {ATOMIC_XOR, PTX_B64, xor_bits},
};

/* Compilers also write .u32, .s32, .f32 ... where .b32 would do. */
static bool same_type(enum ptx_type row, enum ptx_type type)
{
    bool any_kind = ptx_type_kind(row) == KIND_BITS;
    return row == type ||
           (any_kind && ptx_type_bytes(row) == ptx_type_bytes(type));
}

alu_atomic_fn *alu_atomic_find(enum ptx_atomic operation, enum ptx_type type,
                               enum ptx_space space)
{
    if (operation == ATOMIC_ADD && type == PTX_F32)
        return space == SPACE_SHARED ? add_f32 : add_f32_ftz;
    if (operation == ATOMIC_ADD && type == PTX_F64 && space == SPACE_SHARED)
        return add_f64_shared;
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        if (cells[i].operation == operation && same_type(cells[i].type, type))
            return cells[i].function;
    return NULL;
}
