// launch: block=64
// launch: block=4
// launch-ok: n=1000 block=2
/* A barrier after the load and none in the loop: a step reads what the step
   before has not yet written. A block of two threads has one step only. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2)
        if (tid < stride)
            s[tid] += s[tid + stride]; // expect: race
    if (tid == 0)
        atomicAdd(out, s[0]);
}
