/* lab_sync.cuh: barriers of a block and of a warp, memory fences, clocks,
 * ending a kernel.
 *
 * All of these are inline asm that "clobbers memory". clang's own builtins for
 * them are not enough: for a static __shared__ variable clang 14 believes that
 * no builtin changes it, and then it moves loads of it across the barrier (seen
 * with a last-block kernel, wrong sums on a GPU). It cannot look into asm.
 */
#ifndef LAB_SYNC_CUH
#define LAB_SYNC_CUH

/* The name belongs to a builtin and cannot be defined, only hidden. */
#define __syncthreads() lab_syncthreads()
LAB_FN void lab_syncthreads()
{
    LAB_ASM_ALONE("bar.sync 0;" : : : "memory");
}

/* Barriers which also count, or combine, a condition of all threads of the
 * block. */
LAB_FN int __syncthreads_count(int condition)
{
    int count;
    LAB_ASM_ALONE(
        "{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }"
        : "=r"(count)
        : "r"(condition)
        : "memory");
    return count;
}
LAB_FN int __syncthreads_and(int condition)
{
    int all;
    LAB_ASM_ALONE(
        "{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.and.pred p, 0, "
        "p; selp.s32 %0, 1, 0, p; }"
        : "=r"(all)
        : "r"(condition)
        : "memory");
    return all;
}
LAB_FN int __syncthreads_or(int condition)
{
    int any;
    LAB_ASM_ALONE("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.or.pred p, 0, "
                  "p; selp.s32 %0, 1, 0, p; }"
                  : "=r"(any)
                  : "r"(condition)
                  : "memory");
    return any;
}

/* The whole warp is the usual case; it gets the mask as a constant. */
LAB_FN void __syncwarp(unsigned int mask = 0xffffffffu)
{
    if (__builtin_constant_p(mask) && mask == 0xffffffffu) {
        LAB_ASM_ALONE("bar.warp.sync -1;" : : : "memory");
    } else {
        LAB_ASM_ALONE("bar.warp.sync %0;" : : "r"(mask) : "memory");
    }
}

LAB_FN void __threadfence_block()
{
    asm volatile("membar.cta;" : : : "memory");
}
LAB_FN void __threadfence()
{
    asm volatile("membar.gl;" : : : "memory");
}
LAB_FN void __threadfence_system()
{
    asm volatile("membar.sys;" : : : "memory");
}

typedef long clock_t;
LAB_FN clock_t clock()
{
    return (int)__nvvm_read_ptx_sreg_clock();
}
LAB_FN long long clock64()
{
    return (long long)__nvvm_read_ptx_sreg_clock64();
}

LAB_FN unsigned long long __globaltimer()
{
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

LAB_FN void __nanosleep(unsigned int ns)
{
    asm volatile("nanosleep.u32 %0;" : : "r"(ns) : "memory");
}
LAB_FN void __trap()
{
    asm volatile("trap;");
}
LAB_FN void __brkpt()
{
    asm volatile("brkpt;");
}

#endif
