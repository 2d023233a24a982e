/* lab_sync.cuh: barriers of a block, memory fences, clocks, ending a kernel.
 *
 * __syncthreads() itself is a builtin of clang. The other barriers also count
 * (or combine) a condition over all threads of the block: barrier.red.
 */
#ifndef LAB_SYNC_CUH
#define LAB_SYNC_CUH

LAB_FN int __syncthreads_count(int condition) { return __nvvm_bar0_popc(condition); }
LAB_FN int __syncthreads_and(int condition) { return __nvvm_bar0_and(condition); }
LAB_FN int __syncthreads_or(int condition) { return __nvvm_bar0_or(condition); }

LAB_FN void __syncwarp(unsigned int mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }

LAB_FN void __threadfence_block() { __nvvm_membar_cta(); }
LAB_FN void __threadfence() { __nvvm_membar_gl(); }
LAB_FN void __threadfence_system() { __nvvm_membar_sys(); }

typedef long clock_t;
LAB_FN clock_t clock() { return (int)__nvvm_read_ptx_sreg_clock(); }
LAB_FN long long clock64() { return (long long)__nvvm_read_ptx_sreg_clock64(); }

LAB_FN unsigned long long __globaltimer() {
    unsigned long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

LAB_FN void __nanosleep(unsigned int ns) { asm volatile("nanosleep.u32 %0;" : : "r"(ns) : "memory"); }
LAB_FN void __trap() { asm volatile("trap;"); }
LAB_FN void __brkpt() { asm volatile("brkpt;"); }

#endif
