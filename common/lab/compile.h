/* From FILE.cu to PTX text, with nvcc or with clang alone.
 *
 *     kernel.cu --cache hit?--> PTX
 *         |                      ^
 *         +----> nvcc or clang --+--> error text, shortened, as it said it
 *
 * A .ptx file is taken as it is.  The cache (build/ptx) is keyed by the
 * compiler's version, the flags, the path shown, and the bytes of the source,
 * of our device header and of the files beside the source that it includes;
 * so the second run of a source does not compile. */
#ifndef LAB_COMPILE_H
#define LAB_COMPILE_H

#include "lab/home.h"
#include <stddef.h>

/* How anything here ends; also the exit status of the programs. */
enum outcome {
    OUTCOME_OK = 0,
    OUTCOME_FAILED = 1, /* the student's file is wrong */
    OUTCOME_CANNOT = 2, /* we could not find out: no compiler, no file ... */
};

enum compiler_kind { COMPILER_NVCC, COMPILER_CLANG };
struct compiler {
    enum compiler_kind kind;
    char path[1024];
    char version[160]; /* "clang 14.0.6", "nvcc 13.0 V13.0.88" */
    char arch[16];     /* nvcc: "sm_80" */
    const char *cache; /* as given to compiler_find */
};

/* `choice` is "nvcc", "clang" or NULL; NULL takes $COMPILER, else nvcc if
 * there is one, else clang.  The message says what to install.  `cache` is a
 * folder where what a compiler says of itself is kept until the program
 * changes; NULL or "" asks it again. */
bool compiler_find(const char *cache, const char *choice, struct compiler *,
                   struct error *);

struct compiled {
    char *ptx; /* owned; \0 at the end */
    size_t length;
    char *warnings;     /* what the compiler said although it succeeded, or
                            NULL; owned */
    char compiler[160]; /* compiler.version, or "" for a .ptx file */
    bool is_cached;
    double wall_s;
};

struct compile_request {
    const struct home *home;
    const char *source;   /* FILE.cu or FILE.ptx */
    const char *compiler; /* as compiler_find's choice */
    const volatile int *cancel;
};

/* On failure the message is whole: the compiler's first three errors with
 * file, line, column and caret. */
enum outcome compile_kernel(const struct compile_request *, struct compiled *,
                            struct error *);
void compiled_free(struct compiled *);

#endif
