/* The arithmetic of 32 lanes.
 *
 * A register is an array of 32 lanes: 4 bytes a lane for types of up to 32
 * bits, 8 bytes a lane for 64-bit types.  8- and 16-bit values sit
 * zero-extended in their 4-byte lane, f16/bf16 likewise as bits.  A predicate
 * is a uint32_t with a bit a lane.  A function computes all 32 lanes, always:
 * the executor merges the lanes that take part.  d may be the same array as a
 * source, never a partly overlapping one.  Arrays are 64-byte aligned.
 *
 * The results are those of the PTX ISA, bit for bit, for everything IEEE 754
 * (docs/ptx-subset.md says what is approximate): NaN results are the
 * canonical 0x7fffffff for f32, 0x7fff for f16/bf16; f64 as the hardware
 * gives it; shifts clamp; quotient and remainder by zero are all ones (as
 * measured on an H200); fma rounds once.
 *
 * The files alu_lanes_*.c are compiled several times for different x86 levels (or
 * once, portably, elsewhere); alu_find picks the best the host has. */
#ifndef SIM_ALU_H
#define SIM_ALU_H

#include "ptx/program.h"

typedef void alu_value_fn(void *d, const void *a, const void *b, const void *c,
                          const void *e);
typedef uint32_t alu_compare_fn(const void *a, const void *b);
/* carry in and out: a bit a lane */
typedef uint32_t alu_carry_fn(void *d, const void *a, const void *b,
                              const void *c, uint32_t carry);
typedef uint64_t alu_atomic_fn(uint64_t old, uint64_t a, uint64_t b);

enum alu_kind {
    ALU_NONE,
    ALU_VALUE,   /* value(d, a, b, c, e) */
    ALU_COMPARE, /* compare(a, b) gives the lanes where it holds: setp, set,
                    testp (b unused), isspacep is the executor's */
    ALU_CARRY,   /* carry(d, a, b, c, carry in) gives the carries out */
};
struct alu {
    enum alu_kind kind;
    union {
        alu_value_fn *value;
        alu_compare_fn *compare;
        alu_carry_fn *carry;
    };
    uint64_t constant; /* not 0 (cvt): e is an array with this number in it,
                          like the table of lop3, 8 bytes a lane */
};

/* The function for a CLASS_ALU instruction, or ALU_NONE when we have none
 * (the caller then refuses the program with a message).  `d_bytes` and
 * `a_bytes` are the widths (2, 4 or 8) of the destination register and of the
 * first source: only cvt lets them differ from what the types say, and there
 * a sign fills the register (2: up to bit 15 of the 4-byte lane, zeros
 * above).  a_bytes of an immediate: as the array that holds it has.
 * The executor itself handles: and or xor not mov selp on predicates, selp,
 * mov, cvta, the boolean part of setp/set and their value (set). */
struct alu alu_find(const struct ptx_insn *, int d_bytes, int a_bytes);

/* setp and set of packed pairs (f16x2, bf16x2): alu_find gives the comparison
 * of the low halves (p of "p|q"), this one that of the high halves (q). */
struct alu alu_find_second(const struct ptx_insn *);

/* The new value of a cell for atom, red and redux, one lane at a time; values
 * sit in the low bits.  For inc dec cas see PTX ISA 9.7.13.  Global f32 add
 * flushes subnormals, shared does not.  NULL if there is no such operation. */
alu_atomic_fn *alu_atomic_find(enum ptx_atomic, enum ptx_type, enum ptx_space);
/* What becomes of a cell that takes `count` values of `bytes` bytes, one after
 * the other. */
uint64_t alu_atomic_fold(alu_atomic_fn *, uint64_t cell, const uint8_t *value,
                         uint32_t bytes, uint32_t count);

/* "avx512", "avx2" or "portable": for `lab doctor`; the environment variable
 * LAB_CPU=portable|avx2|avx512 forces one (tests compare them). */
const char *alu_level(void);

#endif
