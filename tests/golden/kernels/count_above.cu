/* How many elements are above a half: votes, one integer atomic a warp on a
 * shared word, one on a global word a block. */
__device__ unsigned int found;

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ unsigned int count;
    size_t stride = (size_t)gridDim.x * blockDim.x;
    size_t rounded = (n + 31) / 32 * 32;
    unsigned int mine = 0;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < rounded;
         i += stride)
        mine += __popc(
            __ballot_sync(0xffffffffu, i < n && in[i < n ? i : 0] > 0.5f));
    if (threadIdx.x % 32 == 0)
        atomicAdd(&count, mine);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&found, count);
        atomicAdd(out, (float)count);
    }
}
