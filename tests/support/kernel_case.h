/* What a kernel in tests/kernels says about itself (its README.md has the
 * grammar): how it is launched, what must be found, at which lines. */
#ifndef SUPPORT_KERNEL_CASE_H
#define SUPPORT_KERNEL_CASE_H

#include "lab/data.h"
#include "watch/finding.h"

enum { CASE_MARKS = 64, CASE_LAUNCHES = 16 };

struct case_mark {  /* "// expect: KIND" behind the code of a line */
    int from, line; /* the statement that ends here began at line `from` */
    char kind[24];
    bool must; /* false: "// may: KIND", or KIND? */
};
struct case_launch {
    int line;   /* 0: the launch of a file that names none */
    bool is_ok; /* "// launch-ok:": the fault does not show here */
    uint64_t n; /* 0 with has_n false: the runner's choice */
    bool has_n;
    uint32_t block;
    uint64_t grid;  /* 0: ceil(n / block) */
    int64_t shared; /* -1: 4 * block */
    uint64_t offset;
    uint64_t budget; /* 0: the usual one */
};
struct kernel_case {
    const char *file;
    bool is_ok;      /* "// expect: ok" */
    bool is_wrong;   /* "// expect: wrong" */
    bool needs_nvcc; /* "// needs: nvcc" */
    struct case_mark marks[CASE_MARKS];
    int mark_count;
    struct case_launch launches[CASE_LAUNCHES];
    int launch_count;
    enum data_kind data[DATA_KINDS];
    int data_count;
};

/* False and a message with FILE:LINE if a comment is not understood. */
bool kernel_case_read(struct kernel_case *, const char *file, struct error *);

/* The first thing that is not as the file says, in one line; false if there
 * is none.  `correct`: the sums were right. */
bool kernel_case_differs(const struct kernel_case *, const struct case_launch *,
                         const struct finding_list *, bool correct, char *why,
                         size_t size);

#endif
