/* lab_debug.cuh: printf and assert inside a kernel.
 *
 * clang turns printf into vprintf(format, block of arguments), as nvcc does; a
 * failed assert calls __assertfail. Both are functions of the GPU's driver, and
 * of our simulator.
 */
#ifndef LAB_DEBUG_CUH
#define LAB_DEBUG_CUH

extern "C" __device__ int vprintf(const char *format, const char *arguments);
extern "C" __device__ int printf(const char *format, ...);

extern "C" __device__ __attribute__((noreturn)) void __assertfail(const char *condition, const char *file,
                                                                   unsigned int line, const char *function,
                                                                   size_t char_bytes);

#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition)                                                                                              \
    ((condition) ? (void)0 : __assertfail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__, sizeof(char)))
#endif

#endif
