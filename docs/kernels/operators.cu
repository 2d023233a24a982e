/* One reduction for every operator.  An operator says four things: its type,
 * its identity, how an element is read, and how two are combined; the tree
 * does not ask what it combines.
 *
 *   lab run docs/kernels/operators.cu --kernel reduce_max --operator max
 *
 * The blocks finish as in x2: the last one combines what all have left.  So
 * no operator needs an atomic of its own. */

#define MAX_BLOCKS 8192 // blocks beyond these have nothing to do

struct sum {
    typedef float type;
    static __device__ type identity() { return 0.0f; }
    static __device__ type read(float x, size_t) { return x; }
    static __device__ type combine(type a, type b) { return a + b; }
    static __device__ float write(type a) { return a; }
};

struct product : sum {
    static __device__ type identity() { return 1.0f; }
    static __device__ type combine(type a, type b) { return a * b; }
};

struct maximum : sum {
    static __device__ type identity() { return -INFINITY; }
    static __device__ type combine(type a, type b) { return fmaxf(a, b); }
};

struct minimum : sum {
    static __device__ type identity() { return INFINITY; }
    static __device__ type combine(type a, type b) { return fminf(a, b); }
};

struct logical_and {
    typedef unsigned int type; // 1 or 0; a bool would be as good
    static __device__ type identity() { return 1u; }
    static __device__ type read(float x, size_t) { return x != 0.0f; }
    static __device__ type combine(type a, type b) { return a && b; }
    static __device__ float write(type a) { return (float)a; }
};

struct logical_or : logical_and {
    static __device__ type identity() { return 0u; }
    static __device__ type combine(type a, type b) { return a || b; }
};

struct bit_and {
    typedef unsigned int type; // 24 bits, which a float holds
    static __device__ type identity() { return 0xffffffu; }
    static __device__ type read(float x, size_t)
    {
        return (unsigned int)fabsf(x) & 0xffffffu;
    }
    static __device__ type combine(type a, type b) { return a & b; }
    static __device__ float write(type a) { return (float)a; }
};

struct bit_or : bit_and {
    static __device__ type identity() { return 0u; }
    static __device__ type combine(type a, type b) { return a | b; }
};

/* A value and its place in one word: the value above, so that it decides, and
 * the place below, turned round, so that of equal values the lower place is
 * the larger word.  Then the place of the largest is a maximum of words. */
struct arg_max {
    typedef unsigned long long type;
    static __device__ type identity() { return 0xff000000u; } // no place
    static __device__ unsigned int ordered(float x) // rises as x does
    {
        unsigned int bits = __float_as_uint(x + 0.0f); // -0 is +0
        return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    }
    static __device__ type pack(unsigned int value, size_t place)
    {
        return (type)value << 32 | ~(unsigned int)place;
    }
    static __device__ type read(float x, size_t place)
    {
        return x == x ? pack(ordered(x), place) : identity(); // NaN: never
    }
    static __device__ type combine(type a, type b) { return a > b ? a : b; }
    static __device__ float write(type a)
    {
        return (float)(~(unsigned int)a & 0xffffffu);
    }
};

struct arg_min : arg_max {
    static __device__ type read(float x, size_t place)
    {
        return x == x ? pack(~ordered(x), place) : identity();
    }
};

/* ---- the tree, once for all -----------------------------------------------*/

__device__ unsigned long long left[MAX_BLOCKS]; // room for the widest type
__device__ unsigned int tickets;

template <class op>
__device__ typename op::type warp_reduce(typename op::type x)
{
    for (int distance = 16; distance > 0; distance /= 2)
        x = op::combine(x, __shfl_down_sync(0xffffffffu, x, distance));
    return x;
}

/* In thread 0: all of the block's x.  The block must meet before it is called
 * again. */
template <class op>
__device__ typename op::type block_reduce(typename op::type x)
{
    __shared__ typename op::type warps[32];
    unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    x = warp_reduce<op>(x);
    if (lane == 0)
        warps[warp] = x;
    __syncthreads();
    if (warp == 0)
        x = warp_reduce<op>(lane < blockDim.x / 32 ? warps[lane]
                                                   : op::identity());
    return x;
}

template <class op>
__device__ void reduce_with(const float *in, float *out, size_t n)
{
    __shared__ bool is_last;
    unsigned int blocks = gridDim.x < MAX_BLOCKS ? gridDim.x : MAX_BLOCKS;
    size_t stride = (size_t)blocks * blockDim.x;
    volatile typename op::type *mine = (volatile typename op::type *)left;
    typename op::type x = op::identity();

    if (blockIdx.x >= blocks)
        return;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += stride)
        x = op::combine(x, op::read(in[i], i));
    x = block_reduce<op>(x);
    if (threadIdx.x == 0) {
        mine[blockIdx.x] = x;
        __threadfence(); // it is there before the ticket is taken
        is_last = atomicAdd(&tickets, 1u) == blocks - 1;
        __threadfence();
    }
    __syncthreads();
    if (!is_last)
        return;
    x = op::identity();
    for (unsigned int k = threadIdx.x; k < blocks; k += blockDim.x)
        x = op::combine(x, mine[k]);
    x = block_reduce<op>(x);
    if (threadIdx.x == 0) {
        *out = op::write(x);
        tickets = 0; // for the next launch
    }
}

#define KERNEL(name, op)                                                       \
    extern "C" __global__ void name(const float *in, float *out, size_t n)    \
    {                                                                          \
        reduce_with<op>(in, out, n);                                           \
    }

KERNEL(reduce_sum, sum)
KERNEL(reduce_product, product)
KERNEL(reduce_max, maximum)
KERNEL(reduce_min, minimum)
KERNEL(reduce_and, logical_and)
KERNEL(reduce_or, logical_or)
KERNEL(reduce_bitand, bit_and)
KERNEL(reduce_bitor, bit_or)
KERNEL(reduce_argmax, arg_max)
KERNEL(reduce_argmin, arg_min)
