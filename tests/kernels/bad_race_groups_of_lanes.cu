// launch: n=1000 block=64
// launch: n=1000 block=32
__device__ float part[1024];

/* Groups of 16 lanes add through global memory; each waits for its own lanes,
   and takes the sum of the others. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int lane = threadIdx.x % 32, own = lane / 16 * 16;
    unsigned int mask = 0xffffu << own;
    float *mine = part + i - lane;

    part[i] = i < n ? in[i] : 0.0f;
    __syncwarp(mask);
    if (lane == own) {
        float sum = 0.0f;
        for (unsigned int k = 0; k < 16; k++)
            sum += mine[16 - own + k]; // expect: race
        atomicAdd(out, sum);
    }
}
