/* A student's kernel, loaded on a device and ready to launch. */
#ifndef LAB_KERNEL_H
#define LAB_KERNEL_H

#include "device/device.h"
#include "lab/compile.h"
#include "lab/stage.h"

struct kernel {
    const struct stage *stage; /* NULL: just a file */
    char file[1024];           /* the source as shown to people */
    char name[128];            /* "reduce" */
    struct compiled compiled;
    struct ptx_program *program;
    struct device *device; /* the caller's */
    struct device_module *module;
    const struct ptx_function *function;
};

struct kernel_request {
    const struct home *home;
    struct device *device;
    const char *target;   /* a stage ("v3") or a file (FILE.cu, FILE.ptx) */
    const char *from;     /* "labs", "solutions", "skeletons" or a folder */
    const char *name;     /* NULL: "reduce" */
    const char *compiler; /* as compiler_find's choice */
    const volatile int *cancel;
};

/* Finds, compiles, decodes, checks the signature, loads.  OUTCOME_FAILED: the
 * student's mistake (does not compile, no such kernel, other parameters);
 * OUTCOME_CANNOT: everything else. */
enum outcome kernel_load(const struct kernel_request *, struct kernel *,
                         struct error *);
void kernel_free(struct kernel *); /* also after a failure */

/* The kernel's entry, if it is there and takes (const float *, float *,
 * size_t); else a message with the signature wanted and the kernels found.
 * Exported for its test. */
const struct ptx_function *kernel_entry(const struct ptx_program *,
                                        const char *name, const char *file,
                                        struct error *);

#endif
