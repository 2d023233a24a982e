/* A PTX module, decoded: the data that everything else works on.  Read this
 * file first.
 *
 *   text --lex--> tokens --parse--> struct ptx_program --resolve--> names are
 *   numbers, branch targets are instruction indexes, every instruction has
 *   the student's line --flow--> branches know where their lanes meet again.
 *
 * After ptx_load() a program is complete, checked and never changes; it can
 * be read from many threads.  All memory belongs to program->arena.
 * Section numbers are those of NVIDIA's "Parallel Thread Execution ISA". */
#ifndef PTX_PROGRAM_H
#define PTX_PROGRAM_H

#include "base/arena.h"
#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The comments stand in columns: */
/* clang-format off */

/* ---- types (5.2), one row each in types.def ---------------------------- */
enum ptx_type {
#define TYPE(id, name, bytes, kind) PTX_##id,
#include "ptx/types.def"
#undef TYPE
    PTX_TYPE_COUNT
};
enum ptx_type_kind {
    KIND_NONE,
    KIND_BITS,
    KIND_UNSIGNED,
    KIND_SIGNED,
    KIND_FLOAT,
    KIND_PACKED, /* f16x2, bf16x2: two floats in 32 bits */
    KIND_PREDICATE,
};
const char *ptx_type_name(enum ptx_type);
int ptx_type_bytes(enum ptx_type); /* 0 for PTX_NONE and PTX_PRED */
enum ptx_type_kind ptx_type_kind(enum ptx_type);

/* ---- opcodes (9.7), one row each in ops.def ---------------------------- */
enum ptx_op {
#define OP(id, name, shape, types, class, latency, meaning) OP_##id,
#include "ptx/ops.def"
#undef OP
    OP_COUNT
};
enum ptx_class {
    CLASS_ALU,    /* lanes compute on registers only */
    CLASS_MOVE,   /* mov, cvta: like ALU, with symbols and special registers */
    CLASS_MEMORY, /* ld st atom red ... */
    CLASS_FLOW,   /* bra call ret exit trap */
    CLASS_SYNC,   /* barriers, shuffles, votes, fences */
};
struct ptx_op_info {
    const char *name;
    const char *shape;   /* operands, see ops.def */
    const char *types;   /* accepted types, see ops.def */
    enum ptx_class class;
    int latency;         /* cycles until a dependent instruction may issue */
    const char *meaning; /* one line of register transfer */
};
extern const struct ptx_op_info ptx_ops[OP_COUNT];

/* ---- modifiers: what stands between the dots --------------------------- */
enum ptx_space { /* 5.1; SPACE_GENERIC = no space named */
    SPACE_GENERIC,
    SPACE_GLOBAL,
    SPACE_SHARED,
    SPACE_LOCAL,
    SPACE_CONST,
    SPACE_PARAM,
    SPACE_COUNT
};
enum ptx_rounding { /* RN..RP float results; RNI..RPI to integral values */
    ROUND_NONE, ROUND_RN, ROUND_RZ, ROUND_RM, ROUND_RP, ROUND_RNA,
    ROUND_RNI, ROUND_RZI, ROUND_RMI, ROUND_RPI
};
enum ptx_compare { /* 9.3: unsigned forms lo ls hi hs, unordered ...u */
    CMP_NONE, CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE,
    CMP_LO, CMP_LS, CMP_HI, CMP_HS,
    CMP_EQU, CMP_NEU, CMP_LTU, CMP_LEU, CMP_GTU, CMP_GEU, CMP_NUM, CMP_NAN
};
enum ptx_bool { BOOL_NONE, BOOL_AND, BOOL_OR, BOOL_XOR, BOOL_POPC };
enum ptx_atomic { /* atom, red, redux, barrier.red */
    ATOMIC_NONE, ATOMIC_ADD, ATOMIC_MIN, ATOMIC_MAX, ATOMIC_INC, ATOMIC_DEC,
    ATOMIC_EXCH, ATOMIC_CAS, ATOMIC_AND, ATOMIC_OR, ATOMIC_XOR
};
enum ptx_mode { /* sub-operation of shfl vote match prmt bar cp.async ... */
    MODE_NONE,
    MODE_UP, MODE_DOWN, MODE_BFLY, MODE_IDX,           /* shfl */
    MODE_ALL, MODE_ANY, MODE_UNI, MODE_BALLOT,         /* vote, match */
    MODE_F4E, MODE_B4E, MODE_RC8, MODE_ECL, MODE_ECR, MODE_RC16, /* prmt */
    MODE_SYNC, MODE_ARRIVE, MODE_RED, MODE_WARP,       /* bar, barrier */
    MODE_LEFT, MODE_RIGHT,     /* shf; with FLAG_WRAP or FLAG_CLAMP */
    MODE_WRAP, MODE_CLAMP,     /* szext, bmsk */
    MODE_COMMIT, MODE_WAIT, MODE_WAIT_ALL, MODE_CA, MODE_CG, /* cp.async */
    MODE_FINITE, MODE_INFINITE, MODE_NUMBER, MODE_NOTANUMBER, /* testp */
    MODE_NORMAL, MODE_SUBNORMAL
};
enum ptx_order { /* memory order (8.8); WEAK is a plain access */
    ORDER_WEAK, ORDER_VOLATILE, ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE,
    ORDER_ACQ_REL, ORDER_SC
};
enum ptx_scope { SCOPE_NONE, SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GPU, SCOPE_SYS };
enum ptx_flag {
    FLAG_FTZ = 1 << 0,
    FLAG_SAT = 1 << 1,     /* .sat, .satfinite */
    FLAG_APPROX = 1 << 2,
    FLAG_FULL = 1 << 3,    /* div.full */
    FLAG_WIDE = 1 << 4,    /* mul.wide, mad.wide */
    FLAG_HI = 1 << 5,
    FLAG_LO = 1 << 6,
    FLAG_UNI = 1 << 7,     /* bra.uni, call.uni, ret.uni */
    FLAG_SYNC = 1 << 8,    /* shfl.sync and friends; absent: pre-Volta form */
    FLAG_ALIGNED = 1 << 9, /* bar.*, and barrier.*.aligned */
    FLAG_CC = 1 << 10,     /* add.cc: writes the carry */
    FLAG_TO = 1 << 11,     /* cvta.to */
    FLAG_NOFTZ = 1 << 12,  /* atom.add.noftz.f16 */
    FLAG_SHIFTAMT = 1 << 13, /* bfind.shiftamt */
    FLAG_NAN = 1 << 14,    /* min.NaN max.NaN */
    FLAG_XORSIGN = 1 << 15,
    FLAG_RELU = 1 << 16,
    FLAG_NONCOHERENT = 1 << 17, /* ld.global.nc */
    FLAG_WRAP = 1 << 18,   /* shf.*.wrap: shift by c mod 32 */
    FLAG_CLAMP = 1 << 19,  /* shf.*.clamp: shift by min(c, 32) */
    FLAG_ABS = 1 << 20,    /* redux.abs */
    FLAG_CACHE_HINT = 1 << 21, /* the parser's own: gone after ptx_load */
    FLAG_CACHE_GLOBAL = 1 << 22, /* ld.cg: past the L1, which is per SM */
};

/* ---- operands ----------------------------------------------------------- */
enum ptx_special { /* chapter 10, one row each in specials.def */
#define SPECIAL(id, name, type, meaning) SR_##id,
#include "ptx/specials.def"
#undef SPECIAL
    SR_COUNT
};
enum ptx_operand_kind {
    OPERAND_NONE,
    OPERAND_REGISTER,  /* reg */
    OPERAND_IMMEDIATE, /* bits, as the instruction's type needs them */
    OPERAND_SPECIAL,   /* special */
    OPERAND_SYMBOL,    /* address of `variable` (or function) plus `offset` */
    OPERAND_ADDRESS,   /* [reg + offset], [variable + offset] or [offset] */
    OPERAND_VECTOR,    /* {elements}; each a register, immediate or sink */
    OPERAND_LABEL,     /* target: an instruction index in the function */
    OPERAND_SINK,      /* _ */
};
struct ptx_operand {
    enum ptx_operand_kind kind;
    bool negated;        /* !%p as a source predicate */
    int reg;             /* index in function->registers, or -1 */
    enum ptx_special special;
    uint64_t bits;       /* immediate: integers cut to the operand's type, then
                            sign-extended to 64 bits; floats as the bit
                            pattern of the operand's type; predicates 0 or 1.
                            %envreg<n>: n */
    struct ptx_variable *variable;
    struct ptx_function *function; /* mov of a function's address */
    int64_t offset;
    struct ptx_operand *elements;  /* vector */
    int element_count;
    int target;
};

/* ---- variables, functions ------------------------------------------------ */
struct ptx_variable {
    const char *name;
    enum ptx_space space;  /* GLOBAL CONST SHARED LOCAL PARAM */
    enum ptx_type type;    /* of one element */
    int align;             /* bytes, a power of two */
    uint64_t bytes;        /* whole size; 0 for an unsized extern array */
    bool is_extern;        /* extern .shared x[]: the dynamic shared memory */
    const uint8_t *initial; /* `bytes` bytes, or NULL for zeros */
    struct ptx_relocation *relocations; /* addresses inside the initialiser */
    int relocation_count;
    int index;             /* its place in the owner's list */
    struct ptx_function *function; /* owner; NULL at module level */
    int line;              /* PTX line of the declaration */
    bool nested;           /* declared in a { } inside the function: another
                              one may have the same name */
    bool in_register;      /* .reg parameter or result of a .func: `reg` is it */
    int reg;
};
struct ptx_relocation {
    uint64_t at;           /* byte offset in the variable, 8 bytes there */
    struct ptx_variable *variable;
    struct ptx_function *function;
    int64_t offset;
    bool generic;          /* generic(x): a generic address */
};
struct ptx_register {
    const char *name;      /* "%r3" */
    enum ptx_type type;    /* as declared */
    bool nested;           /* declared in a { } inside the function */
};

/* Where an instruction comes from.  `inlined_at` is the call's location
 * (index in program->locations) or -1. */
struct ptx_location {
    int file;              /* index in program->files; -1 unknown */
    int line, column;      /* 0 unknown */
    int inlined_at;
};

struct ptx_insn {
    enum ptx_op op;
    enum ptx_type type;    /* cvt.D.S, set.D.S, mul.wide.S: type is the first
                              named type ... */
    enum ptx_type type2;   /* ... and type2 the second (PTX_NONE if one) */
    enum ptx_space space;
    enum ptx_rounding rounding;
    enum ptx_compare compare;
    enum ptx_bool boolean;
    enum ptx_atomic atomic;
    enum ptx_mode mode;
    enum ptx_order order;
    enum ptx_scope scope;
    int vector;            /* 1, 2 or 4 (8 for .v8) elements of `type` */
    uint32_t flags;        /* enum ptx_flag */

    int guard;             /* predicate register of @%p, or -1 */
    bool guard_negated;    /* @!%p */

    struct ptx_operand operand[5]; /* destination first, as written */
    int operand_count;
    struct ptx_operand second;     /* the q of "p|q" destinations */
    struct ptx_call *call;         /* OP_CALL only */
    struct ptx_operand *targets;   /* OP_BRX: labels of the .branchtargets */
    int target_count;

    int location;          /* index in program->locations, or -1 */
    int line;              /* the student's line to blame (0 unknown): of the
                              chain of inlined calls the innermost place that
                              lies in a .cu file, else the outermost */
    int file;              /* that line's file, index in program->files, -1 */
    int ptx_line;          /* line of the PTX text, from 1 */
    int reconverge;        /* bra, brx: index of the instruction where all
                              lanes that went either way meet again (the
                              immediate postdominator; insn_count = at the
                              end of the function) */
};
struct ptx_call {
    struct ptx_function *callee;   /* NULL: indirect, through `pointer` */
    struct ptx_operand pointer;
    struct ptx_operand *arguments; /* registers, immediates, .param symbols */
    int argument_count;
    struct ptx_operand *results;   /* same; 0 or 1 of them */
    int result_count;
};

struct ptx_function {
    const char *name;
    bool is_entry;         /* a kernel */
    bool has_body;         /* false: declared only (vprintf, __assertfail) */
    bool is_declared;      /* parameters and results are known */
    struct ptx_variable **params; /* space PARAM, in order */
    int param_count;
    struct ptx_variable **results; /* of .func; space PARAM */
    int result_count;
    struct ptx_variable **variables; /* declared in the body: LOCAL SHARED
                                        PARAM CONST GLOBAL */
    int variable_count;
    struct ptx_register *registers;
    int register_count;
    struct ptx_insn *insns;
    int insn_count;
    int max_threads[3];    /* .maxntid / .reqntid, 0 if absent */
    bool required_threads; /* .reqntid */
    const char *missing;   /* a message: it has an instruction that the
                              simulator does not have (a trap here).  NULL: no */
    int line;
    struct ptx_program *program;
};

struct ptx_program {
    struct arena arena;
    const char *name;      /* file name for messages */
    const char *text;      /* the whole PTX, \0 at the end */
    size_t length;
    int version_major, version_minor;
    int target;            /* 70 for sm_70 */
    const char **files;    /* .file names; index = our numbering */
    int file_count;
    struct ptx_location *locations;
    int location_count;
    struct ptx_variable **variables; /* module level: GLOBAL CONST SHARED */
    int variable_count;
    struct ptx_function **functions;
    int function_count;
};

/* Decodes `text` (copied).  NULL and a message with file:line:column and a
 * caret on anything that is not PTX we know; never crashes, whatever comes.
 * `name` is the file name to show. */
struct ptx_program *ptx_load(const char *name, const char *text, size_t length,
                             struct error *e);
void ptx_free(struct ptx_program *);

struct ptx_function *ptx_find_function(const struct ptx_program *,
                                       const char *name);
/* "kernel.cu:14" for messages; falls back to "file.ptx:33". */
const char *ptx_where(const struct ptx_function *, const struct ptx_insn *,
                      char *buffer, size_t size);
/* The name as the student wrote it: "_ZZ6reduceE5total" is total.  Points into
 * `symbol`; `length` is the name's. */
const char *ptx_source_name(const char *symbol, int *length);
/* A message about one instruction that the simulator cannot run: names the
 * PTX line with a caret line and, where known, the .cu line. */
bool ptx_error_at(const struct ptx_function *, const struct ptx_insn *,
                  struct error *e, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
