// expect: ok
/* Groups of 8 lanes, each with its own mask, reduce and synchronise apart from
   each other. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x, lane = tid % 32, in_group = lane % 8;
    unsigned int mask = 0xffu << (lane / 8 * 8);
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    float sum = i < n ? in[i] : 0.0f;

    s[tid] = sum;
    if (lane / 8 % 2 == 0) {
        for (int distance = 4; distance > 0; distance /= 2)
            sum += __shfl_down_sync(mask, sum, distance, 8);
    } else {
        for (unsigned int distance = 4; distance > 0; distance /= 2) {
            __syncwarp(mask);
            if (in_group < distance)
                s[tid] += s[tid + distance];
        }
        __syncwarp(mask);
        sum = s[tid];
    }
    if (in_group == 0)
        atomicAdd(out, sum);
}
