/* How long the L2 takes for one atomic on a word that all want, by operation:
 *
 *   nvcc -O3 -arch=native -o build/micro tests/golden/micro.cu && build/micro
 *
 * One lane of each of 1056 warps (8 an SM on an H200) adds 400 times to one word;
 * the time of the launch, less that of one that adds nothing, over the number
 * of additions.  The constants atomic_ns and atomic_int_ns of an H200 in
 * common/watch/gpu.def come from it.  CSV: operation, ns. */
#include <cstdio>
#include <cuda_runtime.h>

enum { BLOCKS = 132, WARPS = 8, TIMES = 400, RUNS = 9 };

__device__ unsigned long long word[4];

struct nothing {
    static __device__ void run()
    {
    }
};
struct red_f32 {
    static __device__ void run()
    {
        atomicAdd((float *)word, 1.0f);
    }
};
struct red_f64 {
    static __device__ void run()
    {
        atomicAdd((double *)word, 1.0);
    }
};
struct red_u32 {
    static __device__ void run()
    {
        atomicAdd((unsigned *)word, 1u);
    }
};
struct red_u64 {
    static __device__ void run()
    {
        atomicAdd(word, 1ull);
    }
};
struct red_max_u64 {
    static __device__ void run()
    {
        atomicMax(word, (unsigned long long)clock());
    }
};
/* With the old value, as for tickets. */
struct atom_u32 {
    static __device__ void run()
    {
        if (atomicAdd((unsigned *)word, 1u) == 0xffffffffu)
            word[2] = 1;
    }
};
struct atom_f32 {
    static __device__ void run()
    {
        if (atomicAdd((float *)word, 1.0f) == -1.0f)
            word[2] = 1;
    }
};

template <class operation> __global__ void many(int times)
{
    if (threadIdx.x % 32 == 0)
        for (int k = 0; k < times; k++)
            operation::run();
}

template <class operation> static float launch(int times)
{
    cudaEvent_t from, to;
    float best = 1e30f, ms;
    unsigned long long zero[4] = {0};
    cudaEventCreate(&from);
    cudaEventCreate(&to);
    for (int run = 0; run < RUNS; run++) {
        cudaMemcpyToSymbol(word, zero, sizeof zero);
        cudaEventRecord(from);
        many<operation><<<BLOCKS, 32 * WARPS>>>(times);
        cudaEventRecord(to);
        cudaEventSynchronize(to);
        cudaEventElapsedTime(&ms, from, to);
        best = ms < best ? ms : best;
    }
    return best;
}

template <class operation> static void measure(const char *name)
{
    float all = launch<operation>(TIMES), none = launch<operation>(0);
    printf("%s,%.4f\n", name,
           (double)(all - none) * 1e6 / ((double)BLOCKS * WARPS * TIMES));
}

int main()
{
    measure<nothing>("nothing");
    measure<red_f32>("red.add.f32");
    measure<red_f64>("red.add.f64");
    measure<red_u32>("red.add.u32");
    measure<red_u64>("red.add.u64");
    measure<red_max_u64>("red.max.u64");
    measure<atom_u32>("atom.add.u32");
    measure<atom_f32>("atom.add.f32");
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
