/* Choosing a device, and arithmetic on its limits.  See device.h. */
#include "device/device.h"

#include <stdlib.h>
#include <string.h>

/* The best first. */
const struct device_ops *const device_backends[] = {
    &cuda_device_ops,
    &sim_device_ops,
    NULL,
};

struct device *device_open(const char *name, struct error *e)
{
    char known[128] = "";
    struct device *device = NULL;

    for (int i = 0; device_backends[i]; i++) {
        const struct device_ops *ops = device_backends[i];
        if (name && strcmp(name, ops->name) == 0)
            return ops->open(e);
        if (!name && !device)
            device = ops->open(e);
        strncat(known, i ? ", " : "", sizeof known - strlen(known) - 1);
        strncat(known, ops->name, sizeof known - strlen(known) - 1);
    }
    if (name)
        error_set(e, "no device '%s' in this build; there is: %s", name, known);
    return device;
}

void device_close(struct device *device)
{
    if (device)
        device->ops->close(device);
}

void device_result_free(struct device_result *result)
{
    free(result->output);
    finding_free(&result->findings);
    counters_free(result->counters);
    *result = (struct device_result){0};
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

uint64_t device_resident_blocks(const struct device *device, uint32_t threads,
                                uint32_t shared_bytes)
{
    const struct device_limits *l = &device->limits;
    /* Threads are held in whole warps, and a block takes 1 KiB of shared
     * memory for the system (CUDA C++ Programming Guide, compute
     * capability 8.x and later). */
    uint32_t warps = (threads + 31) / 32;
    uint32_t blocks = l->sm_blocks;

    if (warps)
        blocks = smaller(blocks, l->sm_threads / (warps * 32));
    blocks = smaller(blocks, l->sm_shared_bytes / (shared_bytes + 1024));
    return (uint64_t)l->sm_count * (blocks ? blocks : 1);
}
