/* A device that runs kernels: a GPU, or the simulator.
 *
 * A backend is one `struct device_ops`, filled by name in its file
 * (sim_device.c, cuda_device.c) and listed in device.c.  Nothing above this folder knows
 * which backend runs.  The order of calls:
 *
 *     device_open -> load -> buffer_new, upload -> launch -> download
 *                    ... -> buffer_free -> unload -> close
 *
 * Every function that can fail returns false or NULL with a message. */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "base/error.h"
#include "ptx/program.h"
#include "sim/launch.h"
#include "watch/checks.h"
#include "watch/cost.h"
#include "watch/counters.h"

/* What a launch may ask for, and what the default grid of v6 is made from. */
struct device_limits {
    uint32_t max_threads;  /* in a block */
    uint64_t max_grid[3];  /* blocks */
    uint32_t shared_bytes; /* a block may have without asking: 48 KiB */
    uint32_t shared_most;  /* static and dynamic together, with asking */
    uint32_t sm_count;
    uint32_t sm_threads;      /* resident on one SM at once */
    uint32_t sm_blocks;       /* the same, blocks */
    uint32_t sm_shared_bytes; /* shared by the blocks of one SM */
    uint64_t l2_bytes;
    double memory_gb_s; /* as the data sheet says; 0 unknown */
};

enum device_role {
    DEVICE_INPUT, /* the kernel may only read it */
    DEVICE_DATA,  /* it may read and write */
};

struct device_buffer {
    const char *name; /* "in", "out": for messages */
    uint64_t bytes;
    uint64_t address; /* what a kernel gets as its pointer */
    enum device_role role;
    void *backend; /* the backend's own */
};

/* A PTX module on a device.  Its __device__ variables keep their values from
 * launch to launch. */
struct device_module {
    const struct ptx_program *program; /* the caller's, outlives the module */
    void *backend;
};

struct device_launch {
    struct device_module *module;
    const struct ptx_function *kernel; /* an entry of module->program */
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared; /* bytes */
    const void *params;      /* laid out as the kernel's .param list */
    size_t params_bytes;

    /* The rest is for the simulator; a GPU does as it likes. */
    enum block_order order;
    uint64_t seed;
    uint64_t budget;      /* warp instructions; 0 = no limit */
    int threads;          /* host threads; 0 = all cores */
    const uint64_t *only; /* as in launch.h; NULL: the whole grid */
    uint64_t only_count;
    uint32_t checks; /* bits as from checks_parse(): their findings come back */
    bool counters;   /* count: device_result.counters */
    const struct gpu *gpu;     /* model the time on it: device_result.time; or
                              NULL */
    struct watcher **watchers; /* further ones */
    int watcher_count;

    void (*progress)(void *, double share); /* 0..1, may be NULL */
    void *progress_data;
    const volatile int *cancel; /* nonzero: stop; may be NULL */
};

enum device_stop {
    DEVICE_DONE,      /* every thread came to its end */
    DEVICE_FAILED,    /* it did not; the findings say why */
    DEVICE_CANCELLED, /* *cancel became nonzero */
};

struct device_result {
    enum device_stop stop;
    uint64_t warp_instructions;   /* 0 where the device cannot tell */
    uint64_t thread_instructions; /* the same */
    int threads;                  /* host threads used; 0 on a GPU */
    double wall_s;                /* of the host, for the launch */
    char *output;                 /* what the kernel printed, or NULL */
    struct finding_list findings; /* sorted, of the checks asked for; without
                                     a check, what stopped the launch */
    struct counters *counters;    /* if asked for and the device can */
    struct cost_result time;      /* the same */
};
void device_result_free(struct device_result *);

/* What the clock of a device is put around. */
enum device_clock {
    CLOCK_LAUNCHES, /* the launches one after the other */
    CLOCK_GRAPH,    /* the second run of a graph that holds them */
};

struct device;
struct device_ops {
    const char *name; /* "sim", as in --device */
    /* NULL and a message if this machine has no such device. */
    struct device *(*open)(struct error *);
    void (*close)(struct device *);
    /* One line for `lab doctor` and reports: "simulator (avx2, 8 cores)". */
    void (*describe)(const struct device *, char *line, size_t size);

    struct device_module *(*load)(struct device *, const struct ptx_program *,
                                  struct error *);
    void (*unload)(struct device *, struct device_module *);
    /* False and a message if the kernel needs what the device does not have;
     * NULL: it has all. */
    bool (*can_run)(struct device_module *, const struct ptx_function *,
                    struct error *);
    /* Static shared memory of a kernel, before the dynamic part. */
    uint32_t (*static_shared)(const struct device_module *,
                              const struct ptx_function *);

    /* `host` NULL: fresh memory, every byte 0xff (a float NaN), so that a word
     * nobody wrote shows.  Otherwise the buffer holds those bytes: the
     * simulator works in them directly, a GPU copies them.  The host must
     * neither change nor free them while the buffer lives.  (After a launch
     * that failed on a GPU a download gives garbage.)
     * `bytes` may be 0.  Guard zones lie around every buffer. */
    struct device_buffer *(*buffer_new)(struct device *, const char *name,
                                        uint64_t bytes, enum device_role,
                                        void *host, struct error *);
    void (*buffer_free)(struct device *, struct device_buffer *);
    bool (*upload)(struct device *, struct device_buffer *, uint64_t at,
                   const void *from, uint64_t bytes, struct error *);
    bool (*download)(struct device *, const struct device_buffer *, uint64_t at,
                     void *to, uint64_t bytes, struct error *);
    bool (*fill)(struct device *, struct device_buffer *, uint8_t byte,
                 struct error *);

    /* Runs the grid to its end.  False: it never started (the message says
     * what CUDA would refuse).  True: it ran, however it ended. */
    bool (*launch)(struct device *, const struct device_launch *,
                   struct device_result *, struct error *);

    /* The device's own time for `count` launches, nothing of the host in it
     * but the gaps between launches; guard zones are not looked at.  NULL: it
     * has no clock (the simulator). */
    bool (*time)(struct device *, const struct device_launch *launches,
                 int count, enum device_clock, double *ms, struct error *);
    /* Bytes read and written by the device's own copy of a large block, in
     * GB/s; 0 if it could not be measured.  NULL without a clock. */
    double (*copy_gb_s)(struct device *);
};

struct device {
    const struct device_ops *ops;
    struct device_limits limits;
};

extern const struct device_ops cuda_device_ops, sim_device_ops;

/* All backends of this build, NULL at the end. */
extern const struct device_ops *const device_backends[];

/* Opens the backend of that name; NULL takes the best one there is.  An
 * unknown name is an error that lists the known ones. */
struct device *device_open(const char *name, struct error *);
void device_close(struct device *); /* NULL is fine */

/* Blocks of this shape that the whole device holds at once, at least 1. */
uint64_t device_resident_blocks(const struct device *, uint32_t threads,
                                uint32_t shared_bytes);

#endif
