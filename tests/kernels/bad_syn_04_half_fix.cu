// launch: block=64
// launch: block=256
// launch: n=5000 block=1024 grid=5
/* Half a fix: a __syncwarp() after each step, but lane t + 16 may write its
   word before lane t has read it in the same step. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid < 32) {
        volatile float *v = s;
        v[tid] += v[tid + 32];
        __syncwarp();
        v[tid] += v[tid + 16]; // expect: race
        __syncwarp();
        v[tid] += v[tid + 8]; // expect: race
        __syncwarp();
        v[tid] += v[tid + 4]; // expect: race
        __syncwarp();
        v[tid] += v[tid + 2]; // expect: race
        __syncwarp();
        v[tid] += v[tid + 1]; // expect: race
        __syncwarp();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
