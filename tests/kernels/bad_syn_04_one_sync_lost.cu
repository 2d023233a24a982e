// launch: block=64
// launch: block=256
// launch: n=5000 block=1024 grid=5
/* Read, meet, write, meet in every step but one. */
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
        float x = s[tid] + s[tid + 32];
        s[tid] = x;
        __syncwarp();
        x += s[tid + 16];
        __syncwarp();
        s[tid] = x;
        __syncwarp();
        x += s[tid + 8];
        __syncwarp();
        s[tid] = x;
        x += s[tid + 4]; // expect: race
        __syncwarp();
        s[tid] = x;
        __syncwarp();
        x += s[tid + 2];
        __syncwarp();
        s[tid] = x;
        __syncwarp();
        x += s[tid + 1];
        __syncwarp();
        if (tid == 0)
            atomicAdd(out, x);
    }
}
