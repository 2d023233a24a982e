// launch: n=1000 block=64
// launch-ok: n=1000 block=1024
/* Every thread adds its partner's word, also those whose partner would be
   behind the block's last thread: garbage, which never gets into s[0]. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[1536];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    if (blockDim.x == 1024 && tid < 512)
        s[tid + 1024] = 0.0f;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        float other = s[tid + stride]; // expect: suspicious
        __syncthreads();
        s[tid] += other;
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
