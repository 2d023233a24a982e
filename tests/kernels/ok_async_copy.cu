// expect: ok
/* cp.async copies from global to shared memory beside the threads' own work;
   each thread waits for its copies. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = 0.0f;
    if (i < n)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
                     :
                     : "r"((unsigned int)__cvta_generic_to_shared(s + tid)),
                       "l"(in + i)
                     : "memory");
    asm volatile("cp.async.commit_group;" : : : "memory");
    asm volatile("cp.async.wait_group 0;" : : : "memory");
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
