/* Each thread reads 16 elements that follow each other, so that the lanes of
 * a warp are 64 bytes apart: two sectors a lane, one half of it wasted. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t threads = (size_t)gridDim.x * blockDim.x;
    float sum = 0.0f;
    for (size_t base = thread * 16; base < n; base += threads * 16)
        for (size_t k = 0; k < 16; k++)
            if (base + k < n)
                sum += in[base + k];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
