// expect: ok
// launch: block=64
// launch: block=128
/* Two warps at a time take a tail of their own, each on its own 64 words. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    unsigned int lane = tid % 32, warp = tid / 32;
    if (warp % 2 == 0 && tid + 32 < blockDim.x) {
        float *mine = s + 32 * warp;
        float x = mine[lane] + mine[lane + 32];
        mine[lane] = x;
        __syncwarp();
        x += mine[lane + 16];
        __syncwarp();
        mine[lane] = x;
        __syncwarp();
        x += mine[lane + 8];
        __syncwarp();
        mine[lane] = x;
        __syncwarp();
        x += mine[lane + 4];
        __syncwarp();
        mine[lane] = x;
        __syncwarp();
        x += mine[lane + 2];
        __syncwarp();
        mine[lane] = x;
        __syncwarp();
        x += mine[lane + 1];
        __syncwarp();
        if (lane == 0)
            atomicAdd(out, x);
    }
}
