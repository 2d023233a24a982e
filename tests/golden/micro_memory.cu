/* What the time model needs to know of a GPU's start, memory and atomics:
 *
 *   nvcc -O3 -arch=native -o build/micro_memory tests/golden/micro_memory.cu
 *   tests/golden/micro_memory.sh build/micro_memory >tests/golden/micro_memory.txt
 *
 * Each kernel does one thing; their names begin with m_.  A line a launch:
 * what, its parameters, grid, block, and the cycles that the first thread of
 * block 0 counted.  micro_memory.sh adds how long the launch took, as Nsight
 * Compute times it with empty caches.  common/watch/gpu.def says which constant
 * comes from which lines. */
#include <cstdio>
#include <cuda_runtime.h>

typedef unsigned int u32;
typedef unsigned long long u64;

static const size_t FLOATS = (size_t)1 << 28;
static float *a, *b, *result;
static long long *ticks;

__device__ __forceinline__ u32 hashed(u32 x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}
__device__ __forceinline__ long long now()
{
    long long t;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
    return t;
}

template <class Kernel, class... Parameters>
static void launch(const char *what, const char *how, Kernel kernel, int grid,
                   int block, Parameters... parameters)
{
    long long cycles = 0;
    cudaMemcpy(ticks, &cycles, sizeof cycles, cudaMemcpyHostToDevice);
    kernel<<<grid, block>>>(parameters...);
    cudaMemcpy(&cycles, ticks, sizeof cycles, cudaMemcpyDeviceToHost);
    cudaError_t error = cudaGetLastError();
    printf("%s, %s, grid %d, block %d, %lld%s\n", what, how, grid, block,
           cycles, error == cudaSuccess ? "" : cudaGetErrorString(error));
}

/* ---- ends: kernels that do little, so that their start and end show ---------*/

enum { NONE, LOAD, LOAD2, STORE, STORE2, COPY, SAXPY, RED_BLOCK, RED_ALL };
static const char *const ENDS[] = {
    "ends NONE", "ends LOAD",  "ends LOAD2",     "ends STORE",  "ends STORE2",
    "ends COPY", "ends SAXPY", "ends RED_BLOCK", "ends RED_ALL"};

template <int WHAT>
__global__ void m_ends(float *x, float *y, float *out, u32 n)
{
    u32 i = blockIdx.x * blockDim.x + threadIdx.x;
    if (WHAT == LOAD && i < n && x[i] == 123.0f)
        out[0] = 1;
    if (WHAT == LOAD2 && i < n && y[i + (x[i] == 123.0f)] == 123.0f)
        out[0] = 1; /* one after the other */
    if (WHAT == STORE && i < n)
        y[i] = (float)i;
    if (WHAT == STORE2 && i < n) {
        x[i] = 0.0f;
        y[i] = 0.0f;
    }
    if (WHAT == COPY && i < n)
        y[i] = x[i] + 1;
    if (WHAT == SAXPY && i < n)
        y[i] = 2.5f * x[i] + y[i];
    if (WHAT == RED_BLOCK && threadIdx.x == 0)
        atomicAdd(out, 1.0f);
    if (WHAT == RED_ALL && i < n)
        atomicAdd(out + 64 + i % 4096, 1.0f);
}

template <int WHAT>
static void ends_of(const char *how, int grid, int block, u32 n)
{
    launch(ENDS[WHAT], how, m_ends<WHAT>, grid, block, a, b, result, n);
}

static void ends()
{
    static const struct {
        u32 n, block;
    } shapes[] = {{32, 32},       {132 * 32, 32}, {132 * 128, 128},
                  {100003, 160},  {100003, 1024}, {700001, 160},
                  {700001, 1024}, {5000011, 160}, {5000011, 256},
                  {5000011, 1024}};
    for (int again = 0; again < 3; again++)
        for (auto s : shapes) {
            char how[40];
            int grid = (s.n + s.block - 1) / s.block;
            sprintf(how, "n %u", s.n);
            ends_of<NONE>(how, grid, s.block, s.n);
            ends_of<LOAD>(how, grid, s.block, s.n);
            ends_of<LOAD2>(how, grid, s.block, s.n);
            ends_of<STORE>(how, grid, s.block, s.n);
            ends_of<STORE2>(how, grid, s.block, s.n);
            ends_of<COPY>(how, grid, s.block, s.n);
            ends_of<SAXPY>(how, grid, s.block, s.n);
            ends_of<RED_BLOCK>(how, grid, s.block, s.n);
            ends_of<RED_ALL>(how, grid, s.block, s.n);
        }
}

/* ---- scatter: a warp's load touches some lines ---------------------------------*/

/* 32 / lines lanes side by side, or `apart` words from each other. */
__global__ void m_scatter(const float *p, u32 mask, int lines, u32 apart,
                          float *out, long long *ticks)
{
    u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    u32 lane = threadIdx.x % 32, each = 32 / lines;
    u32 group = lane / each, within = lane % each * apart;
    u32 seed = warp * 40503u;
    float sum = 0;
    long long t = now();
#pragma unroll 1
    for (int k = 0; k < 128; k++) {
        u32 line = hashed(seed + group * 1234567u) & ~31u;
        float v = p[(line | within) & mask];
        sum += v;
        seed = seed * 1664525u + 1013904223u + (v != 0.0f);
    }
    t = now() - t;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *ticks = t;
    if (sum == 123.0f)
        *out = sum;
}

static void scatters()
{
    static const struct {
        int lines, sectors;
        u32 apart;
    } shapes[] = {{1, 4, 1},   {4, 4, 1},  {8, 8, 1},  {16, 16, 1},
                  {32, 32, 1}, {4, 16, 4}, {8, 32, 8}, {16, 32, 16}};
    char how[80];
    for (int bits : {12, 22, 28}) /* in the L1, the L2 and DRAM */
        for (auto s : shapes)
            for (int warps : {1, 4, 20, 64}) {
                int grid = warps > 32 ? 264 : 132;
                int block = 32 * (warps > 32 ? warps / 2 : warps);
                sprintf(how, "%u KiB lines %d sectors %d warps %d",
                        1u << (bits - 8), s.lines, s.sectors, warps);
                launch("scatter", how, m_scatter, grid, block, a,
                       (1u << bits) - 1, s.lines, s.apart, result, ticks);
            }
}

/* ---- local: stores to local memory ------------------------------------------------*/

__global__ void m_local(int times, int random, float *out, long long *ticks)
{
    float cell[64];
    u32 x = threadIdx.x + blockIdx.x * blockDim.x, h = x;
    for (int k = 0; k < 64; k++)
        cell[k] = (float)(k * times);
    long long t = now();
#pragma unroll 1
    for (int k = 0; k < times; k++) {
        h = h * 1664525u + 1013904223u;
        cell[random ? h >> 26 : (u32)k % 64] = (float)k;
    }
    t = now() - t;
    float sum = 0;
    for (int k = 0; k < 64; k++)
        sum += cell[k] * (float)k;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *ticks = t;
    if (sum + h == 123.0f)
        *out = sum;
}

static void locals()
{
    char how[80];
    for (int random : {0, 1})
        for (int threads : {32, 128, 320, 640})
            for (int times : {0, 64}) {
                sprintf(how, "%s index times %d", random ? "random" : "same",
                        times);
                launch("local store", how, m_local, 132, threads, times, random,
                       result, ticks);
            }
}

/* ---- atomics with an answer or without, on one word or many ------------------------*/

enum { ADD_U32, ADD_RET_U32, CAS_U32, ADD_F32 };

/* `lanes` of a warp add, each to one of `words` neighbours, `apart` bytes
 * from each other. */
template <int OP>
__global__ void m_atomics(char *w, int lanes, u32 words, u32 apart, int times,
                          long long *ticks)
{
    u32 lane = threadIdx.x % 32, v = 1;
    u32 warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    long long t = now();
    if (lane < (u32)lanes)
#pragma unroll 1
        for (int k = 0; k < times; k++) {
            char *at = w + (size_t)((warp * 7 + lane + k) % words) * apart;
            if (OP == ADD_U32)
                atomicAdd((u32 *)at, v);
            if (OP == ADD_F32)
                atomicAdd((float *)at, 1.0f);
            if (OP == ADD_RET_U32)
                v += atomicAdd((u32 *)at, v) == 0xfffffff0u;
            if (OP == CAS_U32)
                v += atomicCAS((u32 *)at, v, v + 1) == 0xfffffff0u;
        }
    t = now() - t;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *ticks = t;
}

template <int OP>
static void atomics_of(const char *what, int lanes, u32 words, u32 apart,
                       int warps, int grid)
{
    char how[80];
    sprintf(how, "lanes %d words %u apart %u times 100", lanes, words, apart);
    launch(what, how, m_atomics<OP>, grid, 32 * warps, (char *)result, lanes,
           words, apart, 100, ticks);
}

static void atomics()
{
    atomics_of<ADD_U32>("ADD_U32", 1, 1, 8, 8, 132);
    atomics_of<ADD_RET_U32>("ADD_RET_U32", 1, 1, 8, 1, 1);
    atomics_of<ADD_RET_U32>("ADD_RET_U32", 1, 1, 8, 8, 132);
    atomics_of<CAS_U32>("CAS_U32", 1, 1, 8, 1, 1);
    atomics_of<CAS_U32>("CAS_U32", 1, 1, 8, 8, 132);
    atomics_of<ADD_F32>("ADD_F32", 1, 1, 8, 8, 132);
    for (u32 words : {4, 16, 64, 256, 1024})
        for (u32 apart : {4, 32, 128, 8192})
            for (int lanes : {1, 32})
                atomics_of<ADD_F32>("ADD_F32", lanes, words, apart, 8, 132);
}

/* ---- code: straight code that runs for the first time, and again --------------------*/

template <int N> struct adds {
    static __device__ __forceinline__ void run(float &f)
    {
        asm volatile("add.f32 %0, %0, 0f3F800000;" : "+f"(f));
        adds<N - 1>::run(f);
    }
};
template <> struct adds<0> {
    static __device__ __forceinline__ void run(float &)
    {
    }
};
template <int N> __global__ void m_code(int times, float *out, long long *ticks)
{
    float f = threadIdx.x;
    long long t = now();
#pragma unroll 1
    for (int k = 0; k < times; k++)
        adds<N>::run(f);
    t = now() - t;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        *ticks = t;
    if (f == 123.0f)
        *out = f;
}
static void code()
{
    for (int times : {1, 2, 8}) {
        char how[40];
        sprintf(how, "times %d", times);
        launch("code 64", how, m_code<64>, 132, 32, times, result, ticks);
        launch("code 256", how, m_code<256>, 132, 32, times, result, ticks);
        launch("code 800", how, m_code<800>, 132, 32, times, result, ticks);
    }
}

int main()
{
    cudaMalloc(&a, FLOATS * 4);
    cudaMalloc(&b, FLOATS * 4);
    cudaMalloc(&result, 1 << 24);
    cudaMalloc(&ticks, 8);
    cudaMemset(a, 0, FLOATS * 4);
    cudaMemset(b, 0, FLOATS * 4);
    cudaMemset(result, 0, 1 << 24);
    ends();
    scatters();
    locals();
    atomics();
    code();
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
