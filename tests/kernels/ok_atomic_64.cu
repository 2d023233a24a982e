// expect: ok
// data: integers
/* 64-bit atomics: the sum of whole numbers as one 64-bit word, kept apart from
   the count in another. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ unsigned long long total, most, count;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0) {
        total = 0x0123456700000000ull;
        most = 0;
        count = 0;
    }
    __syncthreads();
    if (i < n) {
        atomicAdd(&total, (unsigned long long)(long long)in[i]);
        atomicMax(&most, (unsigned long long)i);
        if ((atomicAdd(&count, 1ull << 33) & 0xffffffffull) != 0)
            atomicExch(&total, 0ull);
    }
    __syncthreads();
    if (threadIdx.x == 0 && count != 0) {
        unsigned long long expected =
            min(n - 1, (size_t)blockIdx.x * blockDim.x + blockDim.x - 1);
        if (most == expected && count >> 33 == most - i + 1)
            atomicAdd(out, (float)(long long)(total - 0x0123456700000000ull));
    }
}
