/* One verified run of a kernel.
 *
 *     in:  |K poison words| n elements |   out: |0|    guard zones around both
 *
 * The kernel is launched twice in a row, with other data and another n the
 * second time; the output is set to 0 before each (to the identity, if the
 * kernel is another reduction than a sum), and nothing that the kernel owns is
 * touched in between.  Both results must be right, the input and the poison
 * must be as they were.  Large runs repeat on REPEAT_N elements only: state
 * that is left behind shows just as well. */
#ifndef LAB_RUN_H
#define LAB_RUN_H

#include "lab/compare.h"
#include "lab/data.h"
#include "lab/kernel.h"

enum { REPEAT_N = 1 << 16 };

struct reduction;

struct run_spec {
    uint64_t n;
    uint32_t block;
    uint64_t grid;  /* 0: stage_grid() */
    int64_t shared; /* dynamic shared bytes; -1: block * 4 */
    enum data_kind data;
    const struct reduction *reduction; /* NULL: the sum */
    uint64_t offset;                   /* floats before the input */
    uint64_t seed;
    enum block_order order;
    uint64_t budget;       /* warp instructions; 0: RUN_BUDGET and more for
                           large n */
    int threads;           /* host threads, 0 all */
    uint32_t checks;       /* bits of checks_parse(); all of them by default */
    bool is_single;        /* no second launch */
    const struct gpu *gpu; /* the first launch's time on it, modelled, in
                              run_result.launch.time; NULL: none */
    bool counters; /* count in the first launch: run_result.launch.counters */
    struct watcher **watchers;
    int watcher_count;
    void (*progress)(void *, double share);
    void *progress_data;
    const volatile int *cancel;
};
/* A spec with the kernel's defaults: n 2^20, random data, the default block. */
struct run_spec run_defaults(const struct kernel *);

enum verdict {
    VERDICT_RIGHT,
    VERDICT_FINDINGS,    /* it did something that is never right */
    VERDICT_WRONG,       /* wrong sum */
    VERDICT_WRONG_AGAIN, /* right at first, wrong in the second launch */
    VERDICT_INPUT,       /* changed its input, or the words before it */
    VERDICT_CANCELLED,   /* Ctrl-C */
};
const char *verdict_word(enum verdict); /* "passed", "wrong sum" ... */

struct run_result {
    enum verdict verdict;
    bool correct;     /* the sums of all launches made are right */
    bool passed;      /* verdict == VERDICT_RIGHT */
    char reason[600]; /* the most likely cause in a sentence or two, "" if
                            right */
    uint64_t n;
    uint64_t grid;
    uint32_t block;
    uint32_t shared_bytes; /* dynamic */
    float value;
    struct expected expected;
    double error;     /* value - expected.value; NaN if either is NaN */
    uint64_t again_n; /* the second launch, if it came to that */
    float again_value;
    struct expected again_expected;
    struct device_result launch; /* the first launch; the findings are of
                                    both, sorted */
};

/* False with a message when the run could not start: block, grid or shared
 * memory beyond the limits, n beyond the memory.  True: it ran, see verdict. */
bool run_kernel(const struct kernel *, const struct run_spec *,
                struct run_result *, struct error *);
void run_result_free(struct run_result *);
/* The same with a bar for people who wait: "counting [###---] 43 %". */
bool run_shown(const struct kernel *, const struct run_spec *, const char *what,
               struct run_result *, struct error *);

/* Launches once on the caller's in[0..n) and gives the output word.  Nothing
 * is compared.  False with a message if it did not run to its end. */
bool run_plain(const struct kernel *, const struct run_spec *, const float *in,
               float *out, struct error *);

/* Bytes this machine can still give, from /proc/meminfo (MemAvailable). */
uint64_t host_memory_available(void);

#endif
