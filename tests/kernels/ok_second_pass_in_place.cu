// expect: ok
// launch: block=128 grid=64
// launch: block=256 grid=1
/* The second pass folds the partial sums in the array where they lie. Only one
 * block does it, the last, so that nobody else reads what it overwrites. */
__device__ float partial[1024];
__device__ unsigned int done;

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    __shared__ bool is_last;
    unsigned int tid = threadIdx.x;

    float sum = 0.0f;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + tid; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += in[i];
    s[tid] = sum;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        is_last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!is_last)
        return;

    for (unsigned int left = gridDim.x; left > 1;) {
        unsigned int half = (left + 1) / 2;
        volatile float *p = partial;
        for (unsigned int k = tid; k + half < left; k += blockDim.x)
            p[k] = p[k] + p[k + half];
        left = half;
        __syncthreads();
    }
    if (tid == 0)
        *out = *(volatile float *)partial;
}
