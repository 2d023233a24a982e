// launch: block=32
// launch: block=256
/* The mask of the group of 8 is computed with % where / belongs: most lanes
   are not in their own mask. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    unsigned int lane = tid % 32, k = lane % 8;
    unsigned int mask = 0xffu << lane % 4 * 8;

    s[tid] = i < n ? in[i] : 0.0f;
    for (unsigned int d = 4; d > 0; d /= 2) {
        __syncwarp(mask); // expect: bad-sync-mask
        if (k < d)
            s[tid] += s[tid + d]; // may: race
    }
    if (k == 0)
        atomicAdd(out, s[tid]);
}
