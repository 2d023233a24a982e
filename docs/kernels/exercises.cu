/* Kernels for the worked answers of docs/exercises.md.  Those that print give
 * nothing to *out: launch them with --n 0. */

__device__ __forceinline__ float plus(float a, float b)
{
    float sum;
    asm volatile("add.rn.f32 %0, %1, %2;" : "=f"(sum) : "f"(a), "f"(b));
    return sum; // here and now, not when the compiler knows both
}

/* 1: three numbers in two groups, five numbers in two orders. */
extern "C" __global__ void orders(const float *, float *, size_t)
{
    float big = 16777216.0f; // 2^24
    const float x[5] = {big, 1.0f, -big, 0.0f, 0.0f};
    const int other[5] = {0, 2, 1, 3, 4};
    float sum = 0.0f, again = 0.0f;

    for (int k = 0; k < 5; k++) {
        sum = plus(sum, x[k]);
        again = plus(again, x[other[k]]);
    }
    if (blockIdx.x > 0 || threadIdx.x > 0)
        return;
    printf("(2^24 + 1) + 1 = %.1f\n", plus(plus(big, 1.0f), 1.0f));
    printf("2^24 + (1 + 1) = %.1f\n", plus(big, plus(1.0f, 1.0f)));
    printf("2^24 + 1 - 2^24 + 0 + 0 = %.1f\n", sum);
    printf("2^24 - 2^24 + 1 + 0 + 0 = %.1f\n", again);
}

/* 6: elements that the busiest and the laziest thread of v6 take. */
extern "C" __global__ void shares(const float *, float *out, size_t n)
{
    size_t threads = (size_t)gridDim.x * blockDim.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x, taken = 0;

    for (; i < n; i += threads)
        taken++;
    if (blockIdx.x == 0 && threadIdx.x == 0)
        printf("the first thread takes %llu\n", (unsigned long long)taken);
    if (blockIdx.x + 1 == gridDim.x && threadIdx.x + 1 == blockDim.x)
        printf("the last one takes %llu\n", (unsigned long long)taken);
}

/* 9: v6 with a test in its load; everything behind it stays. */
extern "C" __global__ void above(const float *in, float *out, size_t n)
{
    __shared__ float warp_sums[32];
    size_t stride = (size_t)gridDim.x * blockDim.x;
    unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = 0.0f;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += stride) {
        float x = in[i];
        sum += x > 0.5f ? x : 0.0f;
    }
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (lane == 0)
        warp_sums[warp] = sum;
    __syncthreads();
    if (warp > 0)
        return;
    sum = lane < blockDim.x / 32 ? warp_sums[lane] : 0.0f;
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (lane == 0)
        atomicAdd(out, sum);
}
