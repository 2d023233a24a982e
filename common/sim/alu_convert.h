/* cvt as a chain of passes.
 *
 * There are thousands of forms of cvt (PTX ISA 9.7.9), but few things that
 * they do.  Each of those is a pass over the 32 lanes: read a type, round to
 * an integer, clamp, narrow to a format, write a type.  A plan is the list of
 * passes for one form, one byte a pass, the first one lowest:
 *
 *     cvt.rzi.u8.f32   READ_F32 | TRUNC | TO_U8 | U8 into the register
 *
 * Between passes a lane is 64 bits: a double or an integer.  A plan with one
 * pass is simply that function.  What occurs often is one pass.
 *
 * alu_plan.c chooses the passes, alu_lanes_convert.c has them. */
#ifndef SIM_ALU_CONVERT_H
#define SIM_ALU_CONVERT_H

#include "sim/alu_lanes.h"

/* COPY(id, lane of the result, what is kept of the source, what it becomes):
 * integers cut or extended.  "U8_4" reads as: an unsigned byte into a 4-byte
 * lane; S8_16_4: a signed byte extended to 16 bits, and zeros above. */
#define ALU_COPIES(COPY, source)                   \
    COPY(U8_4, u32, uint8_t, uint32_t, source)     \
    COPY(U16_4, u32, uint16_t, uint32_t, source)   \
    COPY(U32_4, u32, uint32_t, uint32_t, source)   \
    COPY(U8_8, u64, uint8_t, uint64_t, source)     \
    COPY(U16_8, u64, uint16_t, uint64_t, source)   \
    COPY(U32_8, u64, uint32_t, uint64_t, source)   \
    COPY(U64_8, u64, uint64_t, uint64_t, source)   \
    COPY(S8_16_4, u32, int8_t, uint16_t, source)   \
    COPY(S8_32_4, u32, int8_t, uint32_t, source)   \
    COPY(S16_32_4, u32, int16_t, uint32_t, source) \
    COPY(S8_16_8, u64, int8_t, uint16_t, source)   \
    COPY(S8_32_8, u64, int8_t, uint32_t, source)   \
    COPY(S8_64_8, u64, int8_t, uint64_t, source)   \
    COPY(S16_32_8, u64, int16_t, uint32_t, source) \
    COPY(S16_64_8, u64, int16_t, uint64_t, source) \
    COPY(S32_64_8, u64, int32_t, uint64_t, source)

/* CLAMP(id, type of the source, lowest, highest): integers to integers. */
#define ALU_CLAMPS(CLAMP)                        \
    CLAMP(S64_TO_U8, s64, 0, UINT8_MAX)          \
    CLAMP(S64_TO_U16, s64, 0, UINT16_MAX)        \
    CLAMP(S64_TO_U32, s64, 0, UINT32_MAX)        \
    CLAMP(S64_TO_U64, s64, 0, INT64_MAX)         \
    CLAMP(S64_TO_S8, s64, INT8_MIN, INT8_MAX)    \
    CLAMP(S64_TO_S16, s64, INT16_MIN, INT16_MAX) \
    CLAMP(S64_TO_S32, s64, INT32_MIN, INT32_MAX) \
    CLAMP(U64_TO_U8, u64, 0, UINT8_MAX)          \
    CLAMP(U64_TO_U16, u64, 0, UINT16_MAX)        \
    CLAMP(U64_TO_U32, u64, 0, UINT32_MAX)        \
    CLAMP(U64_TO_S8, u64, 0, INT8_MAX)           \
    CLAMP(U64_TO_S16, u64, 0, INT16_MAX)         \
    CLAMP(U64_TO_S32, u64, 0, INT32_MAX)         \
    CLAMP(U64_TO_S64, u64, 0, INT64_MAX)

/* NARROW(id, mode, fraction bits, exponent bias) */
#define ALU_NARROWS(NARROW)           \
    NARROW(F32_RN, ROUND_RN, 23, 127) \
    NARROW(F32_RZ, ROUND_RZ, 23, 127) \
    NARROW(F32_RM, ROUND_RM, 23, 127) \
    NARROW(F32_RP, ROUND_RP, 23, 127) \
    NARROW(F16_RN, ROUND_RN, 10, 15)  \
    NARROW(F16_RZ, ROUND_RZ, 10, 15)  \
    NARROW(F16_RM, ROUND_RM, 10, 15)  \
    NARROW(F16_RP, ROUND_RP, 10, 15)  \
    NARROW(BF16_RN, ROUND_RN, 7, 127) \
    NARROW(BF16_RZ, ROUND_RZ, 7, 127) \
    NARROW(BF16_RM, ROUND_RM, 7, 127) \
    NARROW(BF16_RP, ROUND_RP, 7, 127)

/* WIDE(id, mode): 64-bit integers to f64.  ODD keeps what a second rounding
 * must know: it is for what is narrowed afterwards. */
#define ALU_WIDES(WIDE)   \
    WIDE(ODD, ROUND_NONE) \
    WIDE(RN, ROUND_RN) WIDE(RZ, ROUND_RZ) WIDE(RM, ROUND_RM) WIDE(RP, ROUND_RP)

/* PASS(id, result type, source type, expression): everything else. */
#define ALU_PASSES(PASS)                                                   \
    PASS(READ_F32, f64, f32, (double)A)                                    \
    PASS(READ_F32_FTZ, f64, f32, (double)flush_f32(canonical_f32(A)))      \
    PASS(READ_F16, f64, u32, (double)f32_of_f16(A))                        \
    PASS(READ_BF16, f64, u32, (double)f32_of_bf16(A))                      \
    PASS(RINT, f64, f64, nan_of_two(A, A, __builtin_rint(A)))              \
    PASS(TRUNC, f64, f64, nan_of_two(A, A, __builtin_trunc(A)))            \
    PASS(FLOOR, f64, f64, nan_of_two(A, A, __builtin_floor(A)))            \
    PASS(CEIL, f64, f64, nan_of_two(A, A, __builtin_ceil(A)))              \
    PASS(CANONICAL, f64, f64, A == A ? A : f64_from(INT64_MAX))            \
    PASS(NAN_S8, f64, f64, A == A ? A : -0x1p7)                            \
    PASS(NAN_U8, f64, f64, A == A ? A : 0x1p7)                             \
    PASS(NAN_S16, f64, f64, A == A ? A : -0x1p15)                          \
    PASS(NAN_U16, f64, f64, A == A ? A : 0x1p15)                           \
    PASS(NAN_S32, f64, f64, A == A ? A : -0x1p31)                          \
    PASS(NAN_U32, f64, f64, A == A ? A : 0x1p31)                           \
    PASS(SATURATE, f64, f64, saturate_f64(A))                              \
    PASS(RELU, f64, f64, A <= 0 ? 0.0 : A)                                 \
    PASS(FLUSH, f32, f32, flush_f32(A))                                    \
    PASS(TO_U8, u64, f64, small_integer(A, 0, UINT8_MAX))                  \
    PASS(TO_U16, u64, f64, small_integer(A, 0, UINT16_MAX))                \
    PASS(TO_U32, u64, f64, small_integer(A, 0, UINT32_MAX))                \
    PASS(TO_U64, u64, f64, integer_u64(A))                                 \
    PASS(TO_S8, u64, f64, small_integer(A, INT8_MIN, INT8_MAX))            \
    PASS(TO_S16, u64, f64, small_integer(A, INT16_MIN, INT16_MAX))         \
    PASS(TO_S32, u64, f64, small_integer(A, INT32_MIN, INT32_MAX))         \
    PASS(TO_S64, u64, f64, (uint64_t)integer_s64(A))                       \
    /* what occurs often, in one go */                                     \
    PASS(F32_TO_S32, s32, f32, clamp_f32(A, INT32_MIN, INT32_MAX))         \
    PASS(F32_TO_U32, u32, f32, clamp_f32(A, 0, UINT32_MAX))                \
    PASS(F32_TO_S64, s64, f32, integer_s64(__builtin_trunc((double)A)))    \
    PASS(F64_TO_S32, s32, f64,                                             \
         small_integer(A == A ? __builtin_trunc(A) : INT32_MIN, INT32_MIN, \
                       INT32_MAX))                                         \
    PASS(S32_TO_F32, f32, s32, (float)A)                                   \
    PASS(U32_TO_F32, f32, u32, (float)A)                                   \
    PASS(S64_TO_F32, f32, s64, (float)A)                                   \
    PASS(U64_TO_F32, f32, u64, (float)A)                                   \
    PASS(S32_TO_F64, f64, s32, (double)A)                                  \
    PASS(U32_TO_F64, f64, u32, (double)A)                                  \
    PASS(F64_TO_F32, f32, f64, (float)A)                                   \
    PASS(F16_TO_F32, f32, u32, canonical_f32(f32_of_f16(A)))               \
    PASS(BF16_TO_F32, u32, u32, A << 16)                                   \
    PASS(F32_TO_F16, u32, f32, f16_of_f32(A))                              \
    PASS(F32_RINT, f32, f32, canonical_f32(__builtin_rintf(A)))            \
    PASS(F32_TRUNC, f32, f32, canonical_f32(__builtin_truncf(A)))          \
    PASS(F32_FLOOR, f32, f32, canonical_f32(__builtin_floorf(A)))          \
    PASS(F32_CEIL, f32, f32, canonical_f32(__builtin_ceilf(A)))

/* clang-format off */
enum alu_pass {
    PASS_NONE,
#define ALU_ID(id, ...) PASS_##id,
#define ALU_ID_4(id, ...) PASS_##id##_FROM_4,
#define ALU_ID_8(id, ...) PASS_##id##_FROM_8,
#define ALU_ID_SIGNED(id, ...) PASS_S64_TO_F64_##id,
#define ALU_ID_UNSIGNED(id, ...) PASS_U64_TO_F64_##id,
    ALU_COPIES(ALU_ID_4, ) ALU_COPIES(ALU_ID_8, )
    ALU_CLAMPS(ALU_ID)
    ALU_NARROWS(ALU_ID)
    ALU_WIDES(ALU_ID_SIGNED) ALU_WIDES(ALU_ID_UNSIGNED)
    ALU_PASSES(ALU_ID)
    PASS_COUNT
};
/* clang-format on */

/* What a level has for cvt: every pass, and the function that runs a plan,
 * which it gets as its argument e. */
struct alu_converter {
    alu_value_fn *const *passes;
    alu_value_fn *run_plan;
    alu_value_fn *pack; /* two conversions into a pair: plan in e as well */
};

/* The plan for a cvt, 0 if there is no such form. */
uint64_t alu_plan(const struct ptx_insn *, int d_bytes, int a_bytes);

#endif
