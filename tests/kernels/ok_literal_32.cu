// expect: ok
// launch: block=192
// launch: block=1024
/* Literal 32, >> 5 and / 32 in place of warpSize; __syncwarp() without a mask
   inside if (tid < 32). */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    __shared__ float w[32];
    int tid = threadIdx.x, lane = tid & 31, warp = tid >> 5;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    __syncwarp();
    for (int d = 16; d > 0; d >>= 1) {
        if (lane < d)
            s[tid] += s[tid + d];
        __syncwarp();
    }
    if (lane == 0)
        w[warp] = s[tid];
    if (tid < 32 && tid >= (int)blockDim.x / 32)
        w[tid] = 0.0f;
    __syncthreads();
    if (tid < 32) {
        for (int d = 16; d > 0; d >>= 1) {
            if (tid < d)
                w[tid] += w[tid + d];
            __syncwarp();
        }
        if (tid == 0)
            atomicAdd(out, w[0]);
    }
}
