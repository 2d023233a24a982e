/* The part of the CUDA driver API that we use, opened at run time.
 *
 * libcuda.so.1 comes with NVIDIA's driver, so a machine without a GPU has
 * none: the program is not linked against it and needs no cuda.h.  The types
 * here are the driver's binary interface, which has not changed since CUDA
 * 3.2 (functions whose form changed got names that end in _v2).
 *
 * CUDA does not survive fork(): the process that calls cuda_api_open must be
 * the one that uses the GPU. */
#ifndef DEVICE_CUDA_API_H
#define DEVICE_CUDA_API_H

#include "base/error.h"
#include <stddef.h>
#include <stdint.h>

typedef uint64_t cuda_address; /* CUdeviceptr */
typedef void *cuda_handle;     /* CUcontext, CUmodule, CUstream ... */

/* The results that we tell apart. */
enum {
    CUDA_OK = 0,
    CUDA_OUT_OF_MEMORY = 2,
    CUDA_DEVICE_BUSY = 46, /* another process has it for itself */
    CUDA_NO_DEVICE = 100,
    CUDA_NO_BINARY = 209, /* PTX for a newer architecture */
    CUDA_INVALID_PTX = 218,
    CUDA_UNSUPPORTED_PTX_VERSION = 222,
    CUDA_NOT_READY = 600,
    CUDA_ILLEGAL_ADDRESS = 700,
    CUDA_OUT_OF_RESOURCES = 701,
    CUDA_ASSERT = 710,
    CUDA_MISALIGNED_ADDRESS = 716,
    CUDA_LAUNCH_FAILED = 719,
    CUDA_COOPERATIVE_TOO_LARGE = 720,
    CUDA_DRIVER_MISMATCH = 803,
};

/* CUdevice_attribute */
enum {
    CUDA_MAX_THREADS_PER_BLOCK = 1,
    CUDA_MAX_GRID_X = 5,
    CUDA_MAX_GRID_Y = 6,
    CUDA_MAX_GRID_Z = 7,
    CUDA_MAX_SHARED_PER_BLOCK = 8,
    CUDA_SM_COUNT = 16,
    CUDA_MEMORY_CLOCK_KHZ = 36,
    CUDA_MEMORY_BUS_BITS = 37,
    CUDA_L2_BYTES = 38,
    CUDA_MAX_THREADS_PER_SM = 39,
    CUDA_CAPABILITY_MAJOR = 75,
    CUDA_CAPABILITY_MINOR = 76,
    CUDA_MAX_SHARED_PER_SM = 81,
    CUDA_COOPERATIVE_LAUNCH = 95,
    CUDA_MAX_SHARED_OPTIN = 97,
    CUDA_MAX_BLOCKS_PER_SM = 106,
};

/* CUfunction_attribute and CUjit_option */
enum {
    CUDA_FUNCTION_STATIC_SHARED = 1,
    CUDA_FUNCTION_DYNAMIC_SHARED = 8,
    CUDA_JIT_ERROR_LOG = 5,
    CUDA_JIT_ERROR_LOG_BYTES = 6,
};
enum { CUDA_STREAM_NON_BLOCKING = 1, CUDA_CAPTURE_RELAXED = 2 };

/* One row a function: our name, the library's, its parameters. */
#define CUDA_FUNCTIONS(F)                                                     \
    F(init, cuInit, (unsigned))                                               \
    F(driver_version, cuDriverGetVersion, (int *))                            \
    F(error_name, cuGetErrorName, (int, const char **))                       \
    F(error_string, cuGetErrorString, (int, const char **))                   \
    F(device_count, cuDeviceGetCount, (int *))                                \
    F(device_get, cuDeviceGet, (int *, int))                                  \
    F(device_name, cuDeviceGetName, (char *, int, int))                       \
    F(device_attribute, cuDeviceGetAttribute, (int *, int, int))              \
    F(context_retain, cuDevicePrimaryCtxRetain, (cuda_handle *, int))         \
    F(context_release, cuDevicePrimaryCtxRelease_v2, (int))                   \
    F(context_use, cuCtxSetCurrent, (cuda_handle))                            \
    F(module_load, cuModuleLoadDataEx,                                        \
      (cuda_handle *, const void *, unsigned, int *, void **))                \
    F(module_unload, cuModuleUnload, (cuda_handle))                           \
    F(module_function, cuModuleGetFunction,                                   \
      (cuda_handle *, cuda_handle, const char *))                             \
    F(function_attribute, cuFuncGetAttribute, (int *, int, cuda_handle))      \
    F(function_set, cuFuncSetAttribute, (cuda_handle, int, int))              \
    F(memory_info, cuMemGetInfo_v2, (size_t *, size_t *))                     \
    F(memory_new, cuMemAlloc_v2, (cuda_address *, size_t))                    \
    F(memory_free, cuMemFree_v2, (cuda_address))                              \
    F(to_device, cuMemcpyHtoD_v2, (cuda_address, const void *, size_t))       \
    F(to_host, cuMemcpyDtoH_v2, (void *, cuda_address, size_t))               \
    F(copy, cuMemcpyDtoDAsync_v2,                                             \
      (cuda_address, cuda_address, size_t, cuda_handle))                      \
    F(set_bytes, cuMemsetD8_v2, (cuda_address, uint8_t, size_t))              \
    F(set_words, cuMemsetD32Async,                                            \
      (cuda_address, uint32_t, size_t, cuda_handle))                          \
    F(stream_new, cuStreamCreate, (cuda_handle *, unsigned))                  \
    F(stream_free, cuStreamDestroy_v2, (cuda_handle))                         \
    F(stream_query, cuStreamQuery, (cuda_handle))                             \
    F(stream_wait, cuStreamSynchronize, (cuda_handle))                        \
    F(event_new, cuEventCreate, (cuda_handle *, unsigned))                    \
    F(event_free, cuEventDestroy_v2, (cuda_handle))                           \
    F(event_record, cuEventRecord, (cuda_handle, cuda_handle))                \
    F(event_elapsed, cuEventElapsedTime, (float *, cuda_handle, cuda_handle)) \
    F(launch, cuLaunchKernel,                                                 \
      (cuda_handle, unsigned, unsigned, unsigned, unsigned, unsigned,         \
       unsigned, unsigned, cuda_handle, void **, void **))                    \
    F(launch_together, cuLaunchCooperativeKernel,                             \
      (cuda_handle, unsigned, unsigned, unsigned, unsigned, unsigned,         \
       unsigned, unsigned, cuda_handle, void **))                             \
    F(capture_begin, cuStreamBeginCapture_v2, (cuda_handle, int))             \
    F(capture_end, cuStreamEndCapture, (cuda_handle, cuda_handle *))          \
    F(graph_make, cuGraphInstantiateWithFlags,                                \
      (cuda_handle *, cuda_handle, unsigned long long))                       \
    F(graph_launch, cuGraphLaunch, (cuda_handle, cuda_handle))                \
    F(graph_exec_free, cuGraphExecDestroy, (cuda_handle))                     \
    F(graph_free, cuGraphDestroy, (cuda_handle))

struct cuda_api {
    void *library;
#define CUDA_MEMBER(ours, theirs, parameters) int(*ours) parameters;
    CUDA_FUNCTIONS(CUDA_MEMBER)
#undef CUDA_MEMBER
};

/* Opens the library and calls cuInit.  The message says which of the usual
 * reasons it is: no driver, no device, a driver that is too old or does not
 * fit the kernel's module. */
bool cuda_api_open(struct cuda_api *, struct error *);

/* "an illegal memory access (CUDA_ERROR_ILLEGAL_ADDRESS)"; returns text. */
const char *cuda_words(const struct cuda_api *, int result, char *text,
                       size_t size);

#endif
