/* What stands in the comments of a hand-written PTX test (tests/ptx/README.md
 * has the grammar): launches, the data they get, what must come out. */
#ifndef SUPPORT_PTX_CASE_H
#define SUPPORT_PTX_CASE_H

#include "sim/launch.h"
#include "tests/support/expression.h"

enum { CASE_MAX = 64, CASE_ITEMS = 48 };

struct case_data { /* one kernel parameter, in order */
    const struct value_type *type;
    char name[32];     /* of a buffer; "" for a plain value */
    int64_t count;     /* elements */
    char values[1024]; /* list or expression; "" leaves the poison */
    bool is_input;     /* read-only */
};
struct case_expect {
    int line;
    char what[16];    /* "values" "error" "stop" "output" "events" */
    char name[32];    /* buffer, stop word or event name */
    int64_t from, to; /* values: elements from..to, both included */
    char text[1024];  /* values, or the quoted text with escapes undone */
    int error_line;   /* error: the PTX line named in the message, or 0 */
};
struct ptx_case {
    int line;
    char kernel[64];      /* "" when only loading is tested */
    struct launch launch; /* grid, block, options; the rest is the runner's */
    int repeat;
    struct case_data data[16];
    int data_count;
    struct case_expect expect[CASE_ITEMS];
    int expect_count;
};
struct ptx_cases {
    struct ptx_case list[CASE_MAX];
    int count;
};

/* False and a message with FILE:LINE if a comment is not understood. */
bool ptx_cases_read(struct ptx_cases *, const char *file, const char *text,
                    struct error *);

/* Makes the buffers, buffers[k] for parameter k, and lays the parameters out
 * as the kernel's .param list wants them; `bytes` has room for 4096. */
bool case_params(const struct ptx_case *, const struct ptx_function *kernel,
                 struct memory *, struct buffer *buffers[16], uint8_t *bytes,
                 size_t *length, struct error *);

/* The k-th value of a list, or the expression at i = k. */
bool case_value(const char *values, int64_t k, const struct value_type *,
                uint64_t *bits);

#endif
