// expect: ok
// data: ones integers
/* Lanes with equal values find each other; the lowest of them brings value
   times count. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    unsigned int lane = threadIdx.x % 32;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < n ? in[i] : 0.0f;
    unsigned int equal = __match_any_sync(0xffffffffu, __float_as_int(x));
    unsigned int equal64 = __match_any_sync(
        0xffffffffu, (unsigned long long)__float_as_uint(x) << 20);
    int is_one_value;

    __match_all_sync(0xffffffffu, __float_as_uint(x), &is_one_value);
    if (equal != equal64 || (is_one_value != 0) != (equal == 0xffffffffu))
        return;
    if (lane == (unsigned int)__ffs(equal) - 1)
        atomicAdd(out, x * __popc(equal));
}
