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

/* Not declared noreturn: clang 14 puts nothing behind a call that does not
 * return, and the program would run on into whatever stands there. */
extern "C" __device__ void __assertfail(const char *condition, const char *file,
                                        unsigned int line, const char *function,
                                        size_t char_bytes);

LAB_FN void lab_assert_failed(const char *condition, const char *file,
                              unsigned int line, const char *function)
{
    __assertfail(condition, file, line, function, sizeof(char));
    __trap();
}

#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition)                                            \
    ((condition) ? (void)0                                           \
                 : lab_assert_failed(#condition, __FILE__, __LINE__, \
                                     __PRETTY_FUNCTION__))
#endif

#endif
