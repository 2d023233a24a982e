// expect: ok
// launch: block=256
// launch: n=1000 block=96 grid=2
/* An atomic out of atomicCAS() as the CUDA guide writes it: the first look at
   the word is a plain read.  A value that is out of date costs another turn;
   a maximum may even stop at it, for the word only grows. */
__device__ double total;
__device__ float largest;
__device__ union value_and_place {
    float value;
    int parts[2];
    unsigned long long bits;
} best;

__device__ double add_double(double *address, double val)
{
    unsigned long long *word = (unsigned long long *)address;
    unsigned long long old = *word, assumed;
    do {
        assumed = old;
        old = atomicCAS(word, assumed,
                        (unsigned long long)__double_as_longlong(
                            val + __longlong_as_double((long long)assumed)));
    } while (assumed != old);
    return __longlong_as_double((long long)old);
}

__device__ __noinline__ void raise(float *address, float x)
{
    int *word = (int *)address, old = *word;
    while (x > __int_as_float(old)) {
        int seen = old;
        old = atomicCAS(word, seen, __float_as_int(x));
        if (old == seen)
            break;
    }
}

__device__ void keep(unsigned long long *address, float value, int place)
{
    union value_and_place seen, mine;
    mine.value = value;
    mine.parts[1] = place;
    seen.bits = *address;
    while (seen.value < value)
        seen.bits = atomicCAS(address, seen.bits, mine.bits);
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ double sum;
    if (threadIdx.x == 0)
        sum = 0.0;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        add_double(&sum, in[i]);
        raise(&largest, fabsf(in[i]));
        keep(&best.bits, in[i], (int)i);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        add_double(&total, sum);
        atomicAdd(out, (float)sum);
    }
}
