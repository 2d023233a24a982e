/* Opening libcuda.so.1.  See cuda_api.h. */
#include "device/cuda_api.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* Libraries of CUDA 12 and later have all functions of the table. */
enum { OLDEST_DRIVER = 12000 };

const char *cuda_words(const struct cuda_api *api, int result, char *text,
                       size_t size)
{
    const char *name = NULL, *words = NULL;

    api->error_name(result, &name);
    api->error_string(result, &words);
    if (!name || !words)
        snprintf(text, size, "CUDA error %d", result);
    else
        snprintf(text, size, "%s (%s)", words, name);
    return text;
}

static bool find_functions(struct cuda_api *api, const char **missing)
{
    const struct {
        const char *name;
        void *place; /* of a function pointer */
    } wanted[] = {
#define CUDA_ROW(ours, theirs, parameters) {#theirs, &api->ours},
        CUDA_FUNCTIONS(CUDA_ROW)
#undef CUDA_ROW
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        void *found = dlsym(api->library, wanted[i].name);
        if (!found) {
            *missing = wanted[i].name;
            return false;
        }
        memcpy(wanted[i].place, &found, sizeof found);
    }
    return true;
}

static bool start(struct cuda_api *api, struct error *e)
{
    char words[256];
    int version = 0, result;

    api->driver_version(&version);
    if (version < OLDEST_DRIVER)
        return error_set(e,
                         "the NVIDIA driver is too old: it knows CUDA %d.%d, "
                         "%d.%d is the least",
                         version / 1000, version % 1000 / 10,
                         OLDEST_DRIVER / 1000, OLDEST_DRIVER % 1000 / 10);
    result = api->init(0);
    if (result == CUDA_OK)
        return true;
    if (result == CUDA_NO_DEVICE)
        return error_set(e, "the NVIDIA driver is here, but it finds no GPU");
    if (result == CUDA_DRIVER_MISMATCH)
        return error_set(e, "libcuda.so.1 and the kernel's NVIDIA module are "
                            "of different versions (after an update: reboot)");
    return error_set(e, "the NVIDIA driver does not start: %s",
                     cuda_words(api, result, words, sizeof words));
}

bool cuda_api_open(struct cuda_api *api, struct error *e)
{
    const char *missing = NULL;

    memset(api, 0, sizeof *api);
    api->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!api->library)
        return error_set(e, "no NVIDIA driver on this machine (libcuda.so.1 "
                            "cannot be opened)");
    /* The library stays open: CUDA has threads that run its code. */
    if (!find_functions(api, &missing))
        return error_set(e, "the NVIDIA driver is too old: it has no %s",
                         missing);
    return start(api, e);
}
