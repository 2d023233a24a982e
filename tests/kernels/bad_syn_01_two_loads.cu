// launch: block=64 grid=800
// launch: n=1000 block=128 grid=4
// launch-ok: n=1000 block=1 grid=500
/* Two elements a thread are added at the load, and no barrier follows. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x * 2 + tid;

    float sum = i < n ? in[i] : 0.0f;
    if (i + blockDim.x < n)
        sum += in[i + blockDim.x];
    s[tid] = sum;
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride]; // expect: race
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
