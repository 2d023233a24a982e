/* lab.cuh: CUDA's device words for a clang that has no CUDA Toolkit.
 *
 * In:   nothing. The compile command puts this file before the student's
 *       kernel (-include), with clang only; nvcc brings its own headers.
 * Out:  __global__, threadIdx, __syncthreads(), atomicAdd(), float4, sinf() ...
 *       so that a kernel which includes nothing compiles to PTX.
 * Idea: a word either is a builtin of clang, or one line over a builtin, or
 *       one PTX instruction in inline asm.
 *
 * Every function here is always inlined and has no debug information, so that
 * the PTX .loc of its instructions is the line in the student's file which
 * called it. A report then names that line and never one in here.
 *
 * The compile command ($DEVICE is this folder):
 *
 *   clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 -S -O3
 *         -gline-tables-only -ffp-contract=fast -nocudainc -nocudalib -nostdinc
 *         -Xclang -target-feature -Xclang +ptx70 -Wno-unknown-cuda-version
 *         -Wall -Wextra -I $DEVICE/include -include $DEVICE/lab.cuh
 *         kernel.cu -o kernel.ptx
 *
 *   -nocudainc -nocudalib -nostdinc  nothing of this machine gets in: the
 *                       same kernel gives the same PTX everywhere. <stdio.h>,
 *                       <cooperative_groups.h> and so on are ours, in include/
 *   sm_80, ptx70        the first that have redux.sync and bf16
 *   -ffp-contract=fast  a * b + c becomes one fma, as nvcc does by default
 *
 * What it does not have: textures, dynamic parallelism, malloc in kernels,
 * cp.async pipelines, host API. Those need nvcc.
 */
#ifndef LAB_CUH
#define LAB_CUH

#if !defined(__clang__) || !defined(__CUDA__)
#error "lab.cuh is for clang -x cuda; nvcc has its own headers"
#endif

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif

/* Where a thing lives and who may call it. */
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device)) /* no host code is ever run here */
#define __forceinline__ __inline__ __attribute__((always_inline))
#ifndef __noinline__
#define __noinline__ __attribute__((noinline))
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__

/* The head of every function in this header. */
#define LAB_FN \
    static inline __attribute__((device, always_inline, nodebug, unused))
#define LAB_MEMBER __attribute__((host, device, always_inline, nodebug))

/* An instruction that threads execute together. Of two that say the same in
 * the two sides of an if, clang may not make one in front of the if: that
 * would change who takes part (__activemask), or hide a fault (a barrier in
 * each side). The attribute needs a statement around the asm. */
#define LAB_ASM_ALONE(...)         \
    [[clang::nomerge]]             \
    {                              \
        asm volatile(__VA_ARGS__); \
    }

#include "lab_types.cuh"

#include "lab_index.cuh"

#include "lab_sync.cuh"

#include "lab_warp.cuh"

#include "lab_atomic.cuh"

#include "lab_memory.cuh"

#include "lab_bits.cuh"

#include "lab_round.cuh"

#include "lab_math.cuh"

#include "lab_debug.cuh"

#endif
