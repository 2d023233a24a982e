// expect: ok
// launch: block=64
// launch: block=512
/* No barrier and none needed: each thread uses only its own word. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    s[tid] += s[tid];
    if (i < n)
        atomicAdd(out, 0.5f * s[tid]);
}
