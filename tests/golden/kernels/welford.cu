/* Mean and variance in one pass: a division an element, three words to shuffle,
 * a piece of the array a block, three partial results a block. */
struct moments {
    float count, mean, m2;
};
__device__ moments parts[4096];

__device__ moments merge(moments a, moments b)
{
    float count = a.count + b.count;
    if (count == 0.0f)
        return a;
    float delta = b.mean - a.mean, share = b.count / count;
    moments both = {count, a.mean + delta * share,
                    a.m2 + b.m2 + delta * delta * a.count * share};
    return both;
}

__device__ moments warp_merge(moments m)
{
    for (int distance = 16; distance > 0; distance /= 2) {
        moments other;
        other.count = __shfl_down_sync(0xffffffffu, m.count, distance);
        other.mean = __shfl_down_sync(0xffffffffu, m.mean, distance);
        other.m2 = __shfl_down_sync(0xffffffffu, m.m2, distance);
        m = merge(m, other);
    }
    return m;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ moments warps[32];
    unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    size_t piece = (n + gridDim.x - 1) / gridDim.x;
    size_t first = blockIdx.x * piece;
    size_t last = first + piece < n ? first + piece : n;
    moments m = {0.0f, 0.0f, 0.0f};
    for (size_t i = first + threadIdx.x; i < last; i += blockDim.x) {
        float x = in[i], delta = x - m.mean;
        m.count += 1.0f;
        m.mean += delta / m.count;
        m.m2 += delta * (x - m.mean);
    }
    m = warp_merge(m);
    if (lane == 0)
        warps[warp] = m;
    __syncthreads();
    if (warp == 0) {
        moments none = {0.0f, 0.0f, 0.0f};
        m = warp_merge(lane < blockDim.x / 32 ? warps[lane] : none);
        if (lane == 0)
            parts[blockIdx.x] = m;
        if (lane == 0 && blockIdx.x == 0)
            *out = m.m2 / m.count;
    }
}
