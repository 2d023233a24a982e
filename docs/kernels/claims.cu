/* Small kernels for the boxes "measure it yourself": what each of them gives
 * in *out is said above it.  None of them is a sum, so `lab run` calls the
 * result wrong; look at the value, or at the time of two n. */

__device__ __forceinline__ float plus(float a, float b)
{
    float sum;
    asm volatile("add.rn.f32 %0, %1, %2;" : "=f"(sum) : "f"(a), "f"(b));
    return sum; // the instruction itself: no compiler turns it round
}

/* How many neighbours a, b have a + b and b + a of different bits. */
extern "C" __global__ void commutes(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i + 1 < n && __float_as_uint(plus(in[i], in[i + 1])) !=
                         __float_as_uint(plus(in[i + 1], in[i])))
        atomicAdd(out, 1.0f);
}

/* How many neighbours a, b, c have (a + b) + c and a + (b + c) different. */
extern "C" __global__ void associates(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i + 2 < n && plus(plus(in[i], in[i + 1]), in[i + 2]) !=
                         plus(in[i], plus(in[i + 1], in[i + 2])))
        atomicAdd(out, 1.0f);
}

/* n barriers, one after the other. */
extern "C" __global__ void barriers(const float *, float *, size_t n)
{
    for (size_t k = 0; k < n; k++)
        __syncthreads();
}

/* n shuffles, each with an addition that the next one needs. */
extern "C" __global__ void shuffles(const float *, float *out, size_t n)
{
    float x = threadIdx.x;

    for (size_t k = 0; k < n; k++)
        x += __shfl_xor_sync(0xffffffffu, x, 1);
    out[0] = x;
}

/* n loads from shared memory, each at the place that the last one gave. */
extern "C" __global__ void loads(const float *, float *out, size_t n)
{
    __shared__ unsigned int next[32];
    unsigned int at = threadIdx.x % 32;

    next[at] = (at + 1) % 32;
    __syncwarp();
    for (size_t k = 0; k < n; k++)
        at = next[at];
    out[0] = at == threadIdx.x; // all lanes know it: n is a multiple of 32
}

/* Lane l reads word l * n of a table: which words share a bank? */
extern "C" __global__ void banks(const float *, float *out, size_t n)
{
    __shared__ float word[32 * 32];

    for (unsigned int k = threadIdx.x; k < 32 * 32; k += blockDim.x)
        word[k] = 0.0f;
    __syncthreads();
    float x = word[threadIdx.x % 32 * n % (32 * 32)];
    if (x != 0.0f)
        out[0] = x;
}

/* ---- the place of the largest, by atomicCAS on a packed word: one block -------*/

__device__ __forceinline__ unsigned long long packed(float x, size_t place)
{
    unsigned int bits = __float_as_uint(x);

    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (unsigned long long)bits << 32 | ~(unsigned int)place;
}

template <bool until_it_worked>
__device__ void place_of_largest(const float *in, float *out, size_t n)
{
    __shared__ unsigned long long best;

    if (threadIdx.x == 0)
        best = 0;
    __syncthreads();
    for (size_t i = threadIdx.x; i < n; i += blockDim.x) {
        unsigned long long mine = packed(in[i], i), seen = 0, before;
        bool worked;
        do {
            before = seen;
            if (mine <= before)
                break;
            seen = atomicCAS(&best, before, mine);
            worked = seen == before;
        } while (worked != until_it_worked);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *out = (float)(~(unsigned int)best & 0xffffffu);
}

extern "C" __global__ void while_failed(const float *in, float *out, size_t n)
{
    place_of_largest<true>(in, out, n);
}

extern "C" __global__ void while_worked(const float *in, float *out, size_t n)
{
    place_of_largest<false>(in, out, n);
}
