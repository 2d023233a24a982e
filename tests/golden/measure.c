/* Launches kernels on a GPU, one after the other, so that a profiler can count
 * what each did.
 *
 *   measure <PLAN >VALUES
 *
 * A line of the plan: NAME FILE.ptx N BLOCK GRID SHARED REPEATS.  Each line
 * launches the file's kernel `reduce(const float *, float *, size_t)` REPEATS
 * times on the same n floats.  A line of the output: NAME N BLOCK GRID VALUE.
 *
 * The driver is looked up at run time, so this compiles on a machine without
 * CUDA: cc -O2 -o measure measure.c -ldl -lm */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODULES = 128, OUT_BYTES = 1 << 16, TEXT_BYTES = 1 << 22 };

typedef unsigned long long device_address;
static int (*cu_init)(unsigned int);
static int (*cu_device_get)(int *, int);
static int (*cu_context_retain)(void **, int);
static int (*cu_context_set)(void *);
static int (*cu_module_load)(void **, const void *);
static int (*cu_module_function)(void **, void *, const char *);
static int (*cu_alloc)(device_address *, size_t);
static int (*cu_upload)(device_address, const void *, size_t);
static int (*cu_download)(void *, device_address, size_t);
static int (*cu_launch)(void *, unsigned, unsigned, unsigned, unsigned,
                        unsigned, unsigned, unsigned, void *, void **, void **);
static int (*cu_wait)(void);

static const struct {
    void *pointer;
    const char *name;
} symbols[] = {
    {&cu_init, "cuInit"},
    {&cu_device_get, "cuDeviceGet"},
    {&cu_context_retain, "cuDevicePrimaryCtxRetain"},
    {&cu_context_set, "cuCtxSetCurrent"},
    {&cu_module_load, "cuModuleLoadData"},
    {&cu_module_function, "cuModuleGetFunction"},
    {&cu_alloc, "cuMemAlloc_v2"},
    {&cu_upload, "cuMemcpyHtoD_v2"},
    {&cu_download, "cuMemcpyDtoH_v2"},
    {&cu_launch, "cuLaunchKernel"},
    {&cu_wait, "cuCtxSynchronize"},
};

struct loaded {
    char path[512];
    void *function;
};

static void check(int result, const char *what)
{
    if (result == 0)
        return;
    fprintf(stderr, "measure: %s gives error %d\n", what, result);
    exit(2);
}

static void driver_open(void)
{
    void *context, *library = dlopen("libcuda.so.1", RTLD_NOW);
    int device;
    if (!library) {
        fprintf(stderr, "measure: %s\n", dlerror());
        exit(2);
    }
    for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++) {
        void *found = dlsym(library, symbols[k].name);
        memcpy(symbols[k].pointer, &found, sizeof found);
        check(!found, symbols[k].name);
    }
    check(cu_init(0), "cuInit");
    check(cu_device_get(&device, 0), "cuDeviceGet");
    check(cu_context_retain(&context, device), "cuDevicePrimaryCtxRetain");
    check(cu_context_set(context), "cuCtxSetCurrent");
}

/* The kernel of a PTX file; the driver compiles it, once a file. */
static void *function_of(const char *path)
{
    static struct loaded list[MODULES];
    static int count;
    static char text[TEXT_BYTES];
    void *module;
    for (int k = 0; k < count; k++)
        if (strcmp(list[k].path, path) == 0)
            return list[k].function;
    FILE *file = fopen(path, "rb");
    check(!file || count == MODULES, path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    check(cu_module_load(&module, text), path);
    snprintf(list[count].path, sizeof list[count].path, "%s", path);
    check(cu_module_function(&list[count].function, module, "reduce"), path);
    return list[count++].function;
}

/* Numbers that look random and are the same on every machine; sums of them
 * stay far below 2^24, so each order of additions gives nearly the same. */
static float element(size_t i)
{
    return (float)((i * 2654435761u >> 8) % 2001) / 1000.0f - 1.0f;
}

static device_address make_input(size_t n)
{
    static device_address made;
    static size_t capacity;
    if (n <= capacity)
        return made;
    float *host = malloc(n * sizeof *host);
    check(!host, "malloc");
    for (size_t i = 0; i < n; i++)
        host[i] = element(i);
    check(cu_alloc(&made, n * sizeof *host), "cuMemAlloc");
    check(cu_upload(made, host, n * sizeof *host), "cuMemcpyHtoD");
    free(host);
    capacity = n;
    return made;
}

int main(void)
{
    static char zeros[OUT_BYTES];
    char name[128], path[512];
    size_t n;
    unsigned int block, grid, shared;
    int repeats;
    device_address out;

    driver_open();
    check(cu_alloc(&out, OUT_BYTES), "cuMemAlloc");
    while (scanf("%127s %511s %zu %u %u %u %d", name, path, &n, &block, &grid,
                 &shared, &repeats) == 7) {
        void *function = function_of(path);
        device_address in = make_input(n);
        void *arguments[] = {&in, &out, &n};
        float value;
        for (int k = 0; k < repeats; k++) {
            check(cu_upload(out, zeros, OUT_BYTES), "cuMemcpyHtoD");
            check(cu_launch(function, grid, 1, 1, block, 1, 1, shared, NULL,
                            arguments, NULL),
                  "cuLaunchKernel");
            check(cu_wait(), "cuCtxSynchronize");
        }
        check(cu_download(&value, out, sizeof value), "cuMemcpyDtoH");
        printf("%s %zu %u %u %.9g\n", name, n, block, grid, (double)value);
    }
    return 0;
}
