// expect: ok
/* A struct goes into a function by value and another comes back. */
struct range {
    const float *begin;
    size_t count;
    unsigned int step;
    char is_empty;
};

struct pair {
    double sum;
    int count;
};

__device__ __noinline__ struct pair add_up(struct range r, struct pair so_far)
{
    if (!r.is_empty) {
        for (size_t i = 0; i < r.count; i += r.step) {
            so_far.sum += r.begin[i];
            so_far.count++;
        }
    }
    return so_far;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    struct range r = {in + i, 0, gridDim.x * blockDim.x, 1};
    struct pair p = {0.0, 0};

    if (i < n) {
        r.count = n - i;
        r.is_empty = 0;
    }
    p = add_up(r, p);
    if (p.count > 0)
        atomicAdd(out, (float)p.sum);
}
