/* A driver without a GPU: libcuda.so.1 for the tests of common/device/cuda*.c.
 *
 *   cc -shared -fPIC -Icommon -o FOLDER/libcuda.so.1 tests/fake/libcuda.c
 *   LD_LIBRARY_PATH=FOLDER FAKE_CUDA=busy build/bin/lab doctor
 *
 * Its memory is the host's, and whatever a kernel says, `reduce` adds in[0..n)
 * to *out.  FAKE_CUDA says what goes wrong (the `trouble` table).  Time does
 * not pass by itself: a launch takes what 800 GB/s need for its input, times
 * the number after "fake: slow" in its PTX, and up to FAKE_NOISE percent more
 * or less. */
#include "device/cuda_api.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MEBIBYTE = 1 << 20 };

static const struct {
    const char *name;
    int result;
} trouble[] = {
    {"no-device", CUDA_NO_DEVICE},               /* cuInit */
    {"mismatch", CUDA_DRIVER_MISMATCH},          /* cuInit */
    {"broken", 999},                             /* cuInit */
    {"busy", CUDA_DEVICE_BUSY},                  /* the context */
    {"full", CUDA_OUT_OF_MEMORY},                /* the context */
    {"little", CUDA_OUT_OF_MEMORY},              /* buffers of a MiB and more */
    {"newer-ptx", CUDA_UNSUPPORTED_PTX_VERSION}, /* modules */
    {"newer-gpu", CUDA_NO_BINARY},               /* modules */
    {"bad-ptx", CUDA_INVALID_PTX},               /* modules */
    {"fault", CUDA_ILLEGAL_ADDRESS},             /* launches; it stays */
    {"registers", CUDA_OUT_OF_RESOURCES},        /* launches */
};

struct module {
    double slow;
};
struct function {
    double slow;
    bool is_reduce;
};
struct event {
    double at_us;
};

static double now_us = 0;
static int stuck = CUDA_OK; /* after a fault every call gives this */
static unsigned long random_state = 1;

static bool wants(const char *name)
{
    const char *asked = getenv("FAKE_CUDA");
    return asked && strcmp(asked, name) == 0;
}

/* The result of one of these troubles, if it is asked for; else all is well. */
static int unless(const char *a, const char *b, const char *c)
{
    for (size_t i = 0; i < sizeof trouble / sizeof *trouble; i++)
        if ((!strcmp(trouble[i].name, a) || !strcmp(trouble[i].name, b) ||
             !strcmp(trouble[i].name, c)) &&
            wants(trouble[i].name))
            return trouble[i].result;
    return stuck;
}

/* ---- the driver and the device ------------------------------------------------ */

int cuInit(unsigned flags)
{
    const char *seed = getenv("FAKE_SEED");
    (void)flags;
    random_state = seed ? strtoul(seed, NULL, 10) * 7919 + 1 : 1;
    return unless("no-device", "mismatch", "broken");
}
int cuDriverGetVersion(int *version)
{
    *version = wants("old") ? 11040 : 13000;
    return CUDA_OK;
}
int cuGetErrorName(int result, const char **text)
{
    *text = result == CUDA_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                           : "CUDA_ERROR_FAKE";
    return CUDA_OK;
}
int cuGetErrorString(int result, const char **text)
{
    static char words[40];
    snprintf(words, sizeof words, "fake error %d", result);
    *text = words;
    return CUDA_OK;
}
int cuDeviceGetCount(int *count)
{
    *count = wants("none") ? 0 : 1;
    return CUDA_OK;
}
int cuDeviceGet(int *device, int which)
{
    *device = which;
    return CUDA_OK;
}
int cuDeviceGetName(char *name, int size, int device)
{
    (void)device;
    snprintf(name, (size_t)size, "Fake GPU");
    return CUDA_OK;
}
int cuDeviceGetAttribute(int *value, int which, int device)
{
    static const int values[][2] = {
        {CUDA_MAX_THREADS_PER_BLOCK, 1024},
        {CUDA_MAX_GRID_X, 0x7fffffff},
        {CUDA_MAX_GRID_Y, 65535},
        {CUDA_MAX_GRID_Z, 65535},
        {CUDA_MAX_SHARED_PER_BLOCK, 48 << 10},
        {CUDA_SM_COUNT, 10},
        {CUDA_MEMORY_CLOCK_KHZ, 1000000}, /* with the bus: 1024 GB/s */
        {CUDA_MEMORY_BUS_BITS, 4096},
        {CUDA_L2_BYTES, MEBIBYTE},
        {CUDA_MAX_THREADS_PER_SM, 2048},
        {CUDA_CAPABILITY_MAJOR, 8},
        {CUDA_MAX_SHARED_PER_SM, 100 << 10},
        {CUDA_COOPERATIVE_LAUNCH, 1},
        {CUDA_MAX_SHARED_OPTIN, 99 << 10},
        {CUDA_MAX_BLOCKS_PER_SM, 32},
    };
    (void)device;
    *value = 0;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i][0] == which)
            *value = values[i][1];
    return CUDA_OK;
}
int cuDevicePrimaryCtxRetain(cuda_handle *context, int device)
{
    (void)device;
    *context = &now_us;
    return unless("busy", "full", "");
}
int cuDevicePrimaryCtxRelease_v2(int device)
{
    (void)device;
    return CUDA_OK;
}
int cuCtxSetCurrent(cuda_handle context)
{
    (void)context;
    return CUDA_OK;
}

/* ---- modules -------------------------------------------------------------------- */

int cuModuleLoadDataEx(cuda_handle *module, const void *image, unsigned count,
                       int *options, void **values)
{
    const char *at = strstr(image, "fake: slow ");
    struct module *m = malloc(sizeof *m);
    int result = unless("newer-ptx", "newer-gpu", "bad-ptx");

    for (unsigned i = 0; i < count && result == CUDA_INVALID_PTX; i++)
        if (options[i] == CUDA_JIT_ERROR_LOG)
            strcpy(values[i], "ptxas fatal: the fake driver does not like it");
    m->slow = at ? strtod(at + strlen("fake: slow "), NULL) : 1;
    *module = m;
    return result;
}
int cuModuleUnload(cuda_handle module)
{
    free(module);
    return stuck;
}
int cuModuleGetFunction(cuda_handle *function, cuda_handle module,
                        const char *name)
{
    struct function *f = malloc(sizeof *f); /* a few bytes a launch: let be */
    f->slow = ((struct module *)module)->slow;
    f->is_reduce = strcmp(name, "reduce") == 0;
    *function = f;
    return stuck;
}
int cuFuncGetAttribute(int *value, int which, cuda_handle function)
{
    (void)which, (void)function;
    *value = 0;
    return stuck;
}
int cuFuncSetAttribute(cuda_handle function, int which, int value)
{
    (void)function, (void)which, (void)value;
    return stuck;
}

/* ---- memory --------------------------------------------------------------------- */

static void *host(cuda_address address)
{
    return (void *)(uintptr_t)address;
}
int cuMemGetInfo_v2(size_t *left, size_t *all)
{
    *left = 4 * MEBIBYTE;
    *all = 100 * (size_t)MEBIBYTE;
    return stuck;
}
int cuMemAlloc_v2(cuda_address *address, size_t bytes)
{
    if (bytes >= MEBIBYTE && unless("little", "", "") != stuck)
        return CUDA_OUT_OF_MEMORY;
    *address = (uintptr_t)malloc(bytes + !bytes);
    return stuck;
}
int cuMemFree_v2(cuda_address address)
{
    free(host(address));
    return stuck;
}
int cuMemcpyHtoD_v2(cuda_address to, const void *from, size_t bytes)
{
    memcpy(host(to), from, bytes);
    return stuck;
}
int cuMemcpyDtoH_v2(void *to, cuda_address from, size_t bytes)
{
    memcpy(to, host(from), bytes);
    return stuck;
}
int cuMemcpyDtoDAsync_v2(cuda_address to, cuda_address from, size_t bytes,
                         cuda_handle stream)
{
    (void)stream, (void)to, (void)from;
    now_us += 2 * (double)bytes / 900e3; /* 900 GB/s, read and written */
    return stuck;
}
int cuMemsetD8_v2(cuda_address at, uint8_t byte, size_t bytes)
{
    memset(host(at), byte, bytes);
    return stuck;
}
int cuMemsetD32Async(cuda_address at, uint32_t word, size_t count,
                     cuda_handle stream)
{
    uint32_t *words = host(at);
    (void)stream;
    for (size_t i = 0; i < count; i++)
        words[i] = word;
    return stuck;
}

/* ---- streams, events, launches ---------------------------------------------------- */

int cuStreamCreate(cuda_handle *stream, unsigned flags)
{
    (void)flags;
    *stream = &random_state;
    return CUDA_OK;
}
int cuStreamDestroy_v2(cuda_handle stream)
{
    (void)stream;
    return stuck;
}
int cuStreamQuery(cuda_handle stream)
{
    (void)stream;
    return stuck;
}
int cuStreamSynchronize(cuda_handle stream)
{
    (void)stream;
    return stuck;
}
int cuEventCreate(cuda_handle *event, unsigned flags)
{
    (void)flags;
    *event = calloc(1, sizeof(struct event));
    return stuck;
}
int cuEventDestroy_v2(cuda_handle event)
{
    free(event);
    return stuck;
}
int cuEventRecord(cuda_handle event, cuda_handle stream)
{
    (void)stream;
    ((struct event *)event)->at_us = now_us;
    return stuck;
}
int cuEventElapsedTime(float *ms, cuda_handle from, cuda_handle to)
{
    *ms = (float)(((struct event *)to)->at_us - ((struct event *)from)->at_us) /
          1000;
    return stuck;
}

/* In [-1, 1]. */
static double noise(void)
{
    random_state = random_state * 6364136223846793005ul + 1442695040888963407ul;
    return (double)(random_state >> 33) / (double)(1ul << 30) - 1;
}

/* Eight at a time, so that tests do not wait for the additions. */
static double sum_of(const float *in, uint64_t n)
{
    double sums[8] = {0}, sum = 0;
    uint64_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++)
            sums[k] += (double)in[i + k];
    for (; i < n; i++)
        sum += (double)in[i];
    for (int k = 0; k < 8; k++)
        sum += sums[k];
    return sum;
}

int cuLaunchKernel(cuda_handle function, unsigned grid_x, unsigned grid_y,
                   unsigned grid_z, unsigned block_x, unsigned block_y,
                   unsigned block_z, unsigned shared, cuda_handle stream,
                   void **params, void **extra)
{
    const struct function *f = function;
    const char *percent = getenv("FAKE_NOISE");
    double us = 0.01;

    (void)grid_x, (void)grid_y, (void)grid_z, (void)block_x, (void)block_y;
    (void)block_z, (void)shared, (void)stream, (void)extra;
    if (wants("registers"))
        return CUDA_OUT_OF_RESOURCES;
    if (f->is_reduce) {
        const float *in = host(*(cuda_address *)params[0]);
        float *out = host(*(cuda_address *)params[1]);
        uint64_t n = *(uint64_t *)params[2];
        *out = (float)(sum_of(in, n) + (double)*out);
        us += 4 * (double)n / 800e3;
    }
    us *= f->slow * (1 + (percent ? atof(percent) / 100 * noise() : 0));
    now_us += us;
    if (f->is_reduce && wants("fault"))
        stuck = CUDA_ILLEGAL_ADDRESS;
    return CUDA_OK;
}
int cuLaunchCooperativeKernel(cuda_handle function, unsigned grid_x,
                              unsigned grid_y, unsigned grid_z,
                              unsigned block_x, unsigned block_y,
                              unsigned block_z, unsigned shared,
                              cuda_handle stream, void **params)
{
    return cuLaunchKernel(function, grid_x, grid_y, grid_z, block_x, block_y,
                          block_z, shared, stream, params, NULL);
}

/* A library of an older driver lacks what came last. */
#ifndef WITHOUT_GRAPHS
int cuStreamBeginCapture_v2(cuda_handle stream, int mode)
{
    (void)stream, (void)mode;
    return 801; /* not supported */
}
int cuStreamEndCapture(cuda_handle stream, cuda_handle *graph)
{
    (void)stream, (void)graph;
    return 801;
}
int cuGraphInstantiateWithFlags(cuda_handle *ready, cuda_handle graph,
                                unsigned long long flags)
{
    (void)ready, (void)graph, (void)flags;
    return 801;
}
int cuGraphLaunch(cuda_handle ready, cuda_handle stream)
{
    (void)ready, (void)stream;
    return 801;
}
int cuGraphExecDestroy(cuda_handle ready)
{
    (void)ready;
    return CUDA_OK;
}
int cuGraphDestroy(cuda_handle graph)
{
    (void)graph;
    return CUDA_OK;
}
#endif
