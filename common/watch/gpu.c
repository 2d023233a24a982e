/* The GPU profiles.  See gpu.h. */
#include "watch/gpu.h"

#include <stdio.h>
#include <string.h>

const struct gpu gpus[] = {
#define GPU(id, text, ...) {.name = id, .title = text, __VA_ARGS__},
#include "watch/gpu.def"
#undef GPU
};
const int gpu_count = sizeof gpus / sizeof *gpus;

const struct gpu *gpu_find(const char *name, struct error *e)
{
    char list[200] = "";

    if (!name)
        return &gpus[0];
    for (int i = 0; i < gpu_count; i++) {
        size_t used = strlen(list);
        if (strcmp(gpus[i].name, name) == 0)
            return &gpus[i];
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                 gpus[i].name);
    }
    error_set(e, "--gpu: there is no profile '%.40s'; known are %s", name,
              list);
    return NULL;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

uint32_t gpu_resident_blocks(const struct gpu *g, uint32_t threads,
                             uint32_t registers, uint32_t shared_bytes)
{
    /* Warps are whole, registers come in units of 256 a warp. */
    uint32_t warps = (threads + 31) / 32;
    uint32_t of_warp = (registers * 32 + 255) / 256 * 256;
    uint32_t shared = shared_bytes + g->block_shared_reserved;
    uint32_t blocks = least(g->sm_threads / (warps * 32), g->sm_blocks);

    if (of_warp)
        blocks = least(blocks, g->sm_registers / of_warp / warps);
    if (shared)
        blocks = least(blocks, g->sm_shared_bytes / shared);
    return blocks ? blocks : 1;
}

/* The driver takes the least of these for shared memory that holds the blocks
 * which threads and registers allow (CUDA guide, "Shared Memory" of each
 * compute capability; launch__shared_mem_config_size shows it on an H200). */
uint32_t gpu_l1_bytes(const struct gpu *g, uint32_t resident,
                      uint32_t shared_bytes)
{
    static const uint32_t sizes[] = {8,   16,  32,  64, 100,
                                     132, 164, 196, 228}; /* KiB */
    uint32_t wanted = resident * (shared_bytes + g->block_shared_reserved);
    uint32_t taken = g->sm_shared_bytes;

    for (int k = sizeof sizes / sizeof *sizes - 1; k >= 0; k--)
        if (sizes[k] * 1024 >= wanted && sizes[k] * 1024 < taken)
            taken = sizes[k] * 1024;
    return g->l1_bytes - taken;
}
