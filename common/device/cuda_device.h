/* What the files of the cuda backend share.
 *
 *   cuda_device.c   opening, modules, buffers
 *   cuda_launch.c   one launch: guard zones, time-out, how it ended
 *   cuda_explain.c  the same launch in the simulator, for the line
 *   cuda_time.c     the clock: events, and graphs of many launches
 *
 * A fault on a GPU is sticky: from then on every call in this process fails.
 * Then `lost` holds the words, downloads give garbage, and whatever else is
 * asked for fails with those words; the simulator finds the line. */
#ifndef DEVICE_CUDA_DEVICE_H
#define DEVICE_CUDA_DEVICE_H

#include "device/cuda_api.h"
#include "device/device.h"

enum {
    GUARD_BYTES = 4096,
    GUARD_BYTE = 0xa5,
    SHADOW_MAX = 1 << 20, /* larger buffers keep no copy on the host */
};

struct cuda_buffer {
    struct device_buffer buffer; /* first: the two are one address */
    cuda_address base;           /* of the first guard zone */
    const void *host;            /* the caller's bytes, or NULL */
    uint8_t *shadow;             /* what was uploaded, or NULL */
    struct cuda_buffer *next;
};

struct cuda_device {
    struct device device; /* first */
    struct cuda_api api;
    int number, capability; /* capability: 90 is 9.0 */
    char name[96];
    cuda_handle context, stream;
    cuda_handle from, to; /* events */
    struct cuda_buffer *buffers;
    char lost[300]; /* "" while all is well */
    bool is_hung;   /* a kernel still runs */
};

struct cuda_module {
    struct device_module module; /* first */
    struct cuda_device *cuda;
    cuda_handle handle;
    bool is_cooperative; /* some kernel waits for the whole grid */
};

static inline struct cuda_device *cuda_of(struct device *d)
{
    return (struct cuda_device *)d;
}

/* False with "what: words of the driver" unless result is CUDA_OK; a result
 * that no further call survives marks the device as lost. */
bool cuda_check(struct cuda_device *, int result, const char *what,
                struct error *);
/* Is the result of the kind that ends a context? */
bool cuda_is_sticky(int result);
/* False with a message if the device is lost. */
bool cuda_alive(const struct cuda_device *, struct error *);

/* Everything up to the launch call itself: attributes, parameters, shape. */
struct cuda_prepared {
    cuda_handle function;
    void *params[64];
    bool is_cooperative;
};
bool cuda_prepare(struct cuda_device *, const struct device_launch *,
                  struct cuda_prepared *, struct error *);
/* Puts it in the stream. */
int cuda_enqueue(struct cuda_device *, const struct device_launch *,
                 struct cuda_prepared *);
/* Waits until the stream is empty; CUDA_NOT_READY after the time limit or
 * when *cancel became nonzero. */
int cuda_wait(struct cuda_device *, const volatile int *cancel);

/* cuda_launch.c, cuda_explain.c, cuda_time.c */
bool cuda_launch(struct device *, const struct device_launch *,
                 struct device_result *, struct error *);
/* Adds what the simulator finds when it runs the launch on what the buffers
 * held before.  False: it found nothing, *why says why. */
bool cuda_explain(struct cuda_device *, const struct device_launch *,
                  struct finding_list *, const char **why);
bool cuda_time(struct device *, const struct device_launch *launches, int count,
               enum device_clock, double *ms, struct error *);
double cuda_copy_gb_s(struct device *);

#endif
