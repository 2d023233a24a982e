// expect: ok
// data: integers
/* Whole numbers are reduced over a warp in one instruction; half of the warp
   each, to have two masks. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int lane = threadIdx.x % 32;
    unsigned int mask = lane < 16 ? 0x0000ffffu : 0xffff0000u;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    int x = i < n ? (int)in[i] : 0;
    int sum, low, high;
    unsigned int some, every, odd;

    sum = __reduce_add_sync(mask, x);
    low = __reduce_min_sync(mask, x);
    high = __reduce_max_sync(mask, x);
    some = __reduce_or_sync(mask, 1u << lane);
    every = __reduce_and_sync(mask, ~(1u << lane));
    odd = __reduce_xor_sync(mask, lane);
    if (some == mask && every == ~mask && odd == 0 && low <= x && x <= high &&
        lane % 16 == 0)
        atomicAdd(out, (float)sum);
}
