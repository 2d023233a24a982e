/* The inside of the simulator: linked code, warps, blocks.  Private to sim/.
 *
 *   link.c      decoded PTX --> struct image: registers get places in a
 *               frame, constants become 32-lane arrays, symbols addresses
 *   exec_impl.c runs one split of a warp (compiled once per x86 level)
 *   split.c     lanes part at branches and meet again
 *   sync.c      warp barriers, shuffles, votes; barrier.c block barriers
 *   call.c      device functions; native.c printf and assert
 *   access.c    memory accesses lane by lane, faults; kept.c writes that wait
 *   block.c     the warps of a block take turns; launch.c the blocks
 *
 * A register lives in a frame as an array of 32 lanes (see alu.h), predicates
 * come first as one uint32_t each.  Function calls get a new frame, so lanes
 * that called apart never share one. */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include "sim/alu.h"
#include "sim/event.h"
#include "sim/launch.h"
#include "sim/memory.h"

#include <string.h>

#define ALL_LANES 0xffffffffu
#define GARBAGE32 0xfff0deadu         /* a NaN; what absent lanes deliver */
#define GARBAGE64 0xfff0deadfff0deadu /* a NaN as f64 too */

/* Addresses of a device function's own parameters, when a program takes one:
 * the parameter's number times PARAM_STEP plus the offset inside it. */
#define PARAM_WINDOW 0x00006f0000000000u
#define PARAM_STEP 0x10000u
/* Addresses of functions: their number in the program times 16. */
#define CODE_WINDOW 0x00006e0000000000u

enum {
    MAX_JOINS = 48,
    MAX_BARRIERS = 16,
    LAST_ROWS = 16,
    MAX_SHARED = 227 * 1024, /* what an H200 block may opt in to */
};

/* What the executor does with an instruction. */
enum exec {
    X_VALUE,   /* alu.value */
    X_COMPARE, /* setp: d (and d2) from alu.compare and a predicate */
    X_SET,     /* set: d = compare ? true value : 0 */
    X_CARRY,   /* alu.carry */
    X_LOGIC,   /* and or xor not mov on predicates */
    X_SELP,
    X_MOV,
    X_PACK,          /* d = {elements} */
    X_UNPACK,        /* {elements} = a */
    X_SPECIAL,       /* d = special register */
    X_LOCAL_ADDRESS, /* d = frame's local base + offset */
    X_ADD_WINDOW,    /* cvta: d = a + offset */
    X_ISSPACEP,
    X_PARAM,      /* ld.param of a kernel argument */
    X_PARAM_AREA, /* ld.param, st.param in calls: `d` the area, `target` the
                     bytes of one lane, `offset` inside them */
    X_LOAD_SHARED,
    X_LOAD_GLOBAL,
    X_LOAD, /* X_LOAD, X_STORE: any space */
    X_STORE_SHARED,
    X_STORE,
    X_ATOMIC,
    X_COPY_ASYNC,
    X_COPY_COMMIT,
    X_COPY_WAIT,
    X_NOP,
    X_JOIN, /* lanes that parted may meet here */
    X_BRANCH,
    X_BRANCH_INDEX,
    X_CALL,
    X_CALL_POINTER,
    X_CALL_NATIVE,
    X_RET,
    X_EXIT,
    X_TRAP,
    X_BARRIER,
    X_WARP_SYNC,
    X_SHUFFLE,
    X_VOTE,
    X_ACTIVEMASK,
    X_MATCH,
    X_REDUX,
    X_ELECT,
    X_FENCE,
};

struct code;
struct code_insn;

/* shfl: the lane that each lane reads, its own if that is out of range. */
struct shuffle_plan {
    uint8_t source[WARP_LANES];
    uint32_t in_range;
};
struct warp;
struct split;

/* A register or constant as the executor reads it. */
struct slot {
    uintptr_t at; /* frame offset, or the address of a constant array */
    uint8_t constant;
    uint8_t bytes; /* lane width 4 or 8; 0: predicate */
    bool negated;  /* predicates */
    bool narrow;   /* a 16-bit register: the upper half stays 0 */
    bool sink;
    uint32_t area_bytes; /* a parameter area: bytes of one lane; else 0 */
};

struct code_insn {
    uint8_t exec;
    uint8_t d_bytes;       /* lane width of the destination */
    uint8_t constants;     /* bit k: src[k] is an address, not an offset */
    uint8_t a_bytes;       /* lane width of src[0] */
    int16_t guard;         /* predicate number or -1 */
    uint8_t size;          /* memory: bytes of one element */
    uint8_t vector;        /* memory: elements */
    uint32_t guard_invert; /* 0 or all ones */
    uint32_t d;            /* frame offset of the destination */
    uintptr_t src[4];
    union {
        alu_value_fn *value;
        alu_compare_fn *compare;
        alu_carry_fn *carry;
        alu_atomic_fn *atomic;
        struct code *callee;
        int native;                         /* enum native */
        const struct shuffle_plan *shuffle; /* NULL: made when it runs */
    };
    alu_compare_fn *compare_second; /* X_COMPARE of two halves: gives q */
    int64_t offset;                 /* memory: added to src[0] */
    int64_t from_offset;            /* X_COPY_ASYNC: added to src[1];
                                       X_COPY_WAIT: for all groups but so many,
                                       -1 for all */
    int32_t target, reconverge;     /* branches: indexes in code->insns */
    int32_t index;                  /* of `insn` in its function */
    const struct ptx_insn *insn;
    struct slot d2;         /* second destination */
    struct slot p;          /* predicate source */
    struct slot *elements;  /* vectors */
    int32_t *targets;       /* X_BRANCH_INDEX */
    struct slot *arguments; /* calls: places or parameter areas */
    enum ptx_space space;
    uint8_t sources; /* of src[] that are used: the first so many */
    bool is_signed;  /* loads: sign-extend */
    bool answer;     /* atomics: the old value is used */
    bool local_base; /* memory: the frame's local base is added */
    bool synthetic;  /* not in the PTX: takes no part in counts */
    bool ordered;    /* memory: volatile, relaxed, acquire ... */
};

/* A parameter variable inside a frame: 32 copies of `bytes` bytes. */
struct param_area {
    uint32_t at;    /* frame offset */
    uint32_t bytes; /* of one lane */
    bool narrow;    /* a register of 16 bits: the upper half stays 0 */
};

/* Part of a new frame that gets garbage. */
struct poison {
    uint32_t at, bytes;
};

enum { CHAIN_OPEN = 0x7fffffff }; /* link.c is looking at it */

struct code {
    const struct ptx_function *function;
    struct code_insn *insns;
    int count;
    int predicate_count;
    uint32_t frame_bytes;
    uint32_t scratch;  /* frame offset of a register nobody reads */
    uint32_t areas_at; /* parameter areas: from here to the end */
    uint32_t local_bytes;
    uint32_t chain;            /* link.c: local bytes with calls, plus one */
    struct param_area *params; /* of function->params */
    struct param_area result;
    struct param_area *areas; /* of function->variables in SPACE_PARAM */
    struct poison *poison;    /* registers that may be read unwritten */
    int poison_count;
    uint32_t *places; /* register -> frame offset */
};

enum native { NATIVE_PRINTF, NATIVE_ASSERT };

/* A kernel with all it can call, ready to run. */
struct image {
    struct arena arena;
    const struct ptx_function *kernel;
    struct code **codes; /* codes[0] is the kernel */
    int code_count;
    uint32_t static_shared, dynamic_at; /* dynamic part starts there */
    uint32_t local_bytes;               /* of a thread, calls included */
    struct shared_variable *shared;
    int shared_count;
    const struct ptx_function **functions; /* of codes[] */
    struct image *next;
};

struct module {
    const struct ptx_program *program;
    struct memory *memory;
    struct { /* every global and constant variable of the program */
        const struct ptx_variable *variable;
        struct buffer *buffer;
        uint32_t smallest; /* access to it seen so far, in bytes; or 0 */
    } * inner;
    int inner_count;
    struct buffer *params;    /* kernel arguments lie here during a launch */
    struct buffer *workspace; /* of grid.sync(), see launch.c */
    struct image *images;     /* made so far, newest first */
};
struct image *module_image(struct module *, const struct ptx_function *,
                           struct error *);

/* ---- running state ------------------------------------------------------ */
struct frame {
    struct frame *caller; /* free list link when unused */
    struct frame *next_all;
    const struct code *code;
    const struct code_insn *call; /* in the caller */
    uint64_t serial;              /* no two calls in a block have the same */
    int return_pc;
    uint32_t local_base;
    uint32_t depth;
    uint32_t lanes; /* that are in it and have not returned */
    uint32_t bytes; /* capacity of regs */
    uint8_t *regs;  /* 64-byte aligned */
};

enum split_state {
    SPLIT_READY,
    SPLIT_AT_BARRIER, /* waits for the block */
    SPLIT_MEETING,    /* at an aligned barrier, waits for its warp first */
    SPLIT_AT_SYNC,    /* at a warp-wide operation */
};
struct split {
    uint32_t mask;
    int pc;
    struct frame *frame;
    int join; /* index in warp->joins, or -1 */
    enum split_state state;
    uint32_t named; /* SPLIT_AT_SYNC */
    int barrier;
    bool resume; /* SPLIT_AT_SYNC: others were let go for it once */
    bool told;   /* the guard at pc was told, its access waits */
};
struct join {
    int pc;
    struct frame *frame;
    uint32_t expected, arrived;
    int parent;
    bool used;
};

/* Same state seen twice with no change in memory: the warp spins. */
struct spin {
    int pc; /* -1: nothing noted yet */
    uint32_t mask;
    uint64_t changes; /* block->changes then */
    uint8_t *regs;    /* copy of the frame */
    uint32_t capacity;
    int age;                 /* other places passed since */
    int streak;              /* splits found spinning one after the other ... */
    uint64_t streak_changes; /* ... while this stayed the same */
    uint64_t serial;         /* of the frame */
    uint32_t carry;          /* of the warp */
};

struct warp {
    struct block *block;
    uint32_t index;
    uint32_t live;  /* lanes that have not exited */
    uint32_t carry; /* condition code register, a bit a lane */
    int split_count;
    struct split splits[WARP_LANES];
    struct join joins[MAX_JOINS];
    struct spin spin;
    bool spinning;                /* every split of it that could run spins */
    uint32_t slices;              /* used up so far */
    uint64_t last_row[LAST_ROWS]; /* exec_memory.h: where loads went last */
    uint32_t patience;            /* backward branches before it is watched */
    uint32_t local_high; /* its lanes wrote local memory below this only */
    /* Lanes that came to a barrier while the rest of the warp had not. */
    uint32_t came[MAX_BARRIERS];
    struct copy *copies; /* cp.async under way: copies.c */
    int copy_count;
    uint32_t copy_groups[WARP_LANES]; /* committed so far, of each lane */
};

struct block_barrier {
    uint32_t threads;  /* that arrived */
    uint32_t slots;    /* the same, a whole warp counting as 32 */
    uint32_t expected; /* slots; 0: all live threads */
    uint32_t popc;
    bool any, all;
    const struct code_insn *first; /* the first arrival's instruction */
};

enum block_mode { MODE_APART, MODE_TURN }; /* see launch.h: batch and turn */
enum block_state {
    BLOCK_RUNNING,
    BLOCK_DONE,
    BLOCK_NEEDS_TURN,
    BLOCK_SLICE_USED, /* still busy; others may go first */
    BLOCK_STUCK,      /* every warp waits or spins */
    BLOCK_STOPPED,    /* trap */
};

/* What a block needs only while it runs: a block that has ended before its
 * turn hands it on at once, so that a few bodies stay in the host's caches. */
struct body {
    struct warp *warps;
    uint8_t *shared;
    uint8_t *local; /* NULL until first used */
    struct frame *all_frames;
    struct body *next;
};

enum {
    GATHERED_ROWS = 32,
    /* Of a block's accesses: what goes on after so many runs wild, and has
     * shown what it does wrong. */
    MOST_REFUSED = 1 << 16,
};

struct block {
    /* Events of the two common kinds, built in the same place again: what a
     * kind leaves out stays 0. */
    struct event run_event, access_event;
    struct machine *machine;
    struct body *body; /* NULL once it has ended; the four below too */
    uint64_t index;
    uint32_t ctaid[3];
    struct warp *warps;
    uint32_t warp_count;
    uint32_t live_threads;
    uint8_t *shared;
    uint8_t *local; /* NULL until first used */
    struct block_barrier barriers[MAX_BARRIERS];
    enum block_mode mode;
    enum block_state state;
    uint32_t next_warp;
    uint32_t *warp_order; /* NULL: ascending */
    uint64_t instructions, thread_instructions;
    bool had_turn;
    uint64_t stuck_changes;    /* BLOCK_STUCK: the machine's changes then */
    uint64_t apart_limit;      /* instructions before it must take its turn */
    uint64_t changes;          /* stores that could let a spinning warp go on */
    struct frame *free_frames; /* to be used again */
    struct frame *all_frames;
    uint64_t frames_made;
    size_t frame_bytes;         /* of frames in use */
    struct buffer *last_buffer; /* most accesses go where the last one went */
    uint8_t *log;               /* kept-back stores and reds */
    size_t log_bytes, log_capacity;
    uint64_t log_low, log_high; /* address range of kept-back writes */
    char *output;               /* printf */
    size_t output_length, output_capacity;
    struct stop *stop; /* first fault or trap of this block */
    uint32_t refused;  /* accesses of a warp, by memory */
    void **watch;      /* block state of each watcher */
    uint32_t wants;    /* union of the watchers that want this block */
    struct block *next;
    /* All who want runs or accesses only add them up (event.h): these wait. */
    bool gathers;
    uint32_t row_count;
    struct row_access rows[GATHERED_ROWS];
};

/* What ended a block's or launch's good course. */
struct stop {
    enum launch_stop kind;
    const struct ptx_function *function;
    const struct ptx_insn *insn;
    char text[512];
};

/* Who wants events of a kind. */
struct listeners {
    int count;
    struct listener {
        struct watcher *watcher;
        void (*event)(struct watcher *, void *, const struct event *);
        int index; /* in launch->watchers */
    } * items;
};

/* One launch. */
struct machine {
    const struct launch *launch;
    struct listeners listeners[EVENT_KINDS]; /* set by launch_run() */
    struct launch_info info;
    struct image *image;
    struct memory *memory;
    uint8_t *params;     /* kernel arguments */
    uint64_t blocks;     /* to run */
    bool all_resident;   /* the GPU holds the whole grid at once */
    uint64_t changes;    /* value-changing global writes, in turn mode */
    uint32_t last_lanes; /* lanes of the last warp */
    size_t apart_bytes;  /* a block that holds more waits for its turn */
};

/* What cooperative groups finds in an environment register. */
uint32_t machine_envreg(const struct machine *, const struct ptx_insn *);

/* ---- exec_impl.c, one per x86 level ------------------------------------ */
enum run_end {
    RUN_SLICE,      /* the slice was used up */
    RUN_CHANGED,    /* this split ended or waits: pick another */
    RUN_SPINS,      /* block_same_state() said so */
    RUN_NEEDS_TURN, /* pc stands at the instruction to do in turn */
    RUN_STOPPED,    /* trap */
};
typedef enum run_end split_run_fn(struct warp *, int split, int64_t *slice);
split_run_fn *exec_pick(void);

/* ---- split.c ------------------------------------------------------------ */
/* Lanes `taken` of split s go to `target`, the others to the instruction
 * after pc; the caller goes on with split s, which holds one side.  False:
 * split s is gone (it was all waiting). */
bool split_branch(struct warp *, int s, uint32_t taken, int target,
                  int reconverge);
/* The join where lanes of split s meet at `pc` after they part: the split's
 * own one if it is the same place (a loop left lane by lane), else a new one,
 * which becomes the split's. */
int split_join(struct warp *, int s, int reconverge);
/* brx.idx: every lane goes to its own target; `s` keeps some of the lanes. */
void split_branch_index(struct warp *, int s, const uint32_t *index,
                        const struct code_insn *);
/* Split s stands at a join: true if it goes on (perhaps with more lanes). */
bool split_arrive(struct warp *, int s);
/* Takes lanes out of a split and of all joins: they exited. */
void split_exit(struct warp *, int s, uint32_t lanes);
/* Takes lanes out of the joins inside `frame`: they return from it. */
void split_leave_frame(struct warp *, uint32_t lanes, int *join,
                       const struct frame *);
/* Part lanes off split s into a split of their own; returns its index. */
int split_part(struct warp *, int s, uint32_t lanes);
void split_remove(struct warp *, int s);
/* Lets lanes that wait at joins go on alone; true if there were any. */
bool split_release(struct warp *);

/* ---- sync.c, barrier.c -------------------------------------------------- */
/* Split s stands at a warp-wide operation.  True: it was done and the split
 * goes on; false: the split (or parts of it) waits for named lanes. */
bool sync_do(struct warp *, int s, const struct code_insn *);
/* For the operands b and c of a shfl, 32 lanes each. */
void sync_shuffle_plan(enum ptx_mode, const uint32_t *b, const uint32_t *c,
                       struct shuffle_plan *);
/* No split of the warp can run: waiting ones go on if they can, else the
 * misuse is reported and they go on anyway.  True if something can run. */
bool sync_resolve(struct warp *);
/* Lanes exited: those who waited for them wait no longer. */
void sync_exited(struct warp *);

/* copies.c */
void copies_add(struct warp *, const struct ptx_function *,
                const struct code_insn *, uint32_t lanes,
                const uint64_t *address, uint8_t *const *host,
                uint8_t (*data)[16]);
void copies_commit(struct warp *, uint32_t lanes);
/* For all groups but the last `but`; -1: for all copies. */
void copies_wait(struct warp *, uint32_t lanes, int64_t but);
void copies_forget(struct warp *);

/* Split s arrives.  True: it may go on at once (barrier.arrive). */
bool barrier_arrive(struct warp *, int s, const struct code_insn *);
/* False: the barrier's number is none (told). */
bool barrier_number_good(struct warp *, int s, const struct code_insn *);
/* Threads exited: barriers may be complete now. */
void barrier_check(struct block *);
bool barrier_meet(struct warp *); /* MEETING splits: merge or misuse */

/* ---- access.c ----------------------------------------------------------- */
/* Any load, store, atomic; lane by lane, every check.  False: needs turn. */
bool access_memory(struct warp *, struct split *, const struct code_insn *,
                   uint32_t active);
/* Where a global access goes on the host, or what is wrong with it. */
enum fault_kind access_fault(struct block *, uint64_t address, uint32_t size,
                             bool write, uint8_t **host);
/* Cell becomes fn(cell, a, c); *changes counts if that is another value. */
void access_atomic(uint8_t *cell, uint32_t bytes, alu_atomic_fn *, uint64_t a,
                   uint64_t c, uint64_t *old, uint64_t *changes);
/* Lane addresses of a memory instruction, offset included. */
void access_addresses(const struct split *, const struct code_insn *,
                      uint64_t *address);

/* ---- kept.c: writes of a block that runs apart --------------------------- */
/* value: 32 lanes of `bytes` bytes each; atomic NULL: a store. */
void kept_write(struct block *, const uint64_t *address, uint32_t mask,
                const uint8_t *value, uint32_t bytes, alu_atomic_fn *);
/* A store of `lanes` values one after the other, from `address` on. */
void kept_row(struct block *, uint64_t address, uint32_t lanes,
              const uint8_t *value, uint32_t bytes);
/* A red of lanes `mask` if all go to one good address; from: their values. */
bool kept_red(struct block *, const struct code_insn *, const uint8_t *from,
              const uint64_t *address, uint32_t mask);
/* Would these loads read what was kept back? */
bool kept_overlaps(const struct block *, const uint64_t *address, uint32_t mask,
                   uint32_t size);
void kept_apply(struct block *); /* makes it visible, in order */

/* ---- call.c ------------------------------------------------------------- */
struct frame *frame_new(struct block *, const struct code *);
void frame_release(struct block *, struct frame *);
bool call_enter(struct warp *, int s,
                const struct code_insn *); /* false: stopped */
/* Lanes `active` of split s return. */
void call_return(struct warp *, int s, uint32_t active);
/* native.c */
bool call_native(struct warp *, struct split *, const struct code_insn *,
                 uint32_t active); /* false: stopped (assert) */

/* ---- block.c ------------------------------------------------------------ */
struct block *block_new(struct machine *); /* without a body */
struct body *body_new(const struct machine *);
uint64_t body_bytes(const struct machine *); /* about, without calls */
void body_free(const struct machine *, struct body *);
void block_take_body(struct block *, struct body *);
struct body *block_give_body(struct block *);
void block_start(struct block *, uint64_t index);
void block_free(struct block *);
/* Runs until done, stuck, stopped, or the slice is used. */
enum block_state block_run(struct block *);
/* Does a block that runs apart hold so much memory (kept-back writes, frames,
 * output) that it must not go on before its turn? */
static inline bool block_holds_much(const struct block *b)
{
    return b->mode == MODE_APART &&
           b->frame_bytes + b->log_bytes + b->output_length >
               b->machine->apart_bytes;
}
/* For exec_impl.c: split s of a watched warp is where it was before, in every
 * register, and nothing was written since: it spins. */
bool block_same_state(struct warp *, int s);

/* ---- events ------------------------------------------------------------- */
void event_send(struct block *, struct event *); /* fills in block */
static inline bool event_wanted(const struct block *b, enum event_kind kind)
{
    return (b->wants & WANTS(kind)) != 0;
}
void stop_note(struct block *, enum launch_stop, const struct ptx_function *,
               const struct ptx_insn *, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The garbage of a kind: the launch's, or the default. */
static inline uint32_t garbage_word(const struct machine *m, enum garbage kind,
                                    uint32_t otherwise)
{
    uint32_t word = m->launch->garbage[kind];
    return word ? word : otherwise;
}

/* Fills memory that nobody wrote with words of garbage. */
static inline void garbage_fill(const struct machine *m, enum garbage kind,
                                uint8_t *to, size_t bytes)
{
    uint32_t word = m->launch->garbage[kind];
    memset(to, 0xff, bytes);
    for (size_t at = 0; word && at + 4 <= bytes; at += 4)
        memcpy(to + at, &word, 4);
}

static inline uint8_t *place_of(const struct code_insn *in, uint8_t *regs,
                                int k)
{
    return ((in->constants >> k) & 1) ? (uint8_t *)in->src[k]
                                      : regs + in->src[k];
}
static inline uint32_t predicate_of(const struct slot *p, const uint8_t *regs)
{
    uint32_t m =
        p->constant ? (uint32_t)p->at : *(const uint32_t *)(regs + p->at);
    return p->negated ? ~m : m;
}

/* Lanes in rising order: for (m = mask; m; m &= m - 1) */
static inline int lane_first(uint32_t m)
{
    return __builtin_ctz(m);
}

#endif
