// launch: block=64
// launch: n=1000 block=96 grid=11
/* The barrier does not wait for copies under way: each thread must wait for
   its own before it. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    if (i < n)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
                     :
                     : "r"((unsigned int)__cvta_generic_to_shared(s + tid)),
                       "l"(in + i)
                     : "memory");
    else
        s[tid] = 0.0f;
    asm volatile("cp.async.commit_group;" : : : "memory");
    __syncthreads();
    if (tid == 0)
        for (unsigned int k = 0; k < blockDim.x; k++)
            atomicAdd(out, s[k]); // expect: uninitialized
}
