// expect: ok
/* All kinds of atomics on 32-bit words of shared memory; the sum goes out only
   if each did what it says. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ int low, high, minus, seen;
    __shared__ unsigned int ulow, uhigh, up, down, all, some, odd;
    __shared__ float total, last;
    unsigned int tid = threadIdx.x, b = blockDim.x;
    size_t i = (size_t)blockIdx.x * b + tid;

    if (tid == 0) {
        low = high = minus = seen = 0;
        ulow = 0xffffffffu;
        uhigh = up = down = some = odd = 0;
        all = 0xffffffffu;
        total = last = 0.0f;
    }
    __syncthreads();
    atomicMin(&low, -(int)tid);
    atomicMax(&high, (int)tid);
    atomicSub(&minus, 2);
    atomicMin(&ulow, 0x80000000u + tid);
    atomicMax(&uhigh, 0x80000000u + tid);
    atomicInc(&up, b - 1); // b threads count from 0 round to 0
    atomicDec(&down, b - 1);
    atomicAnd(&all, ~(1u << tid % 32));
    atomicOr(&some, 1u << tid % 32);
    atomicXor(&odd, 1u << tid % 32);
    if (atomicExch(&seen, 1) == 0)
        atomicExch(&last, 3.0f);
    if (i < n)
        atomicAdd(&total, in[i]);
    __syncthreads();
    unsigned int lanes = b >= 32 ? 0xffffffffu : (1u << b) - 1;
    bool ok = low == 1 - (int)b && high == (int)b - 1 && minus == -2 * (int)b &&
              ulow == 0x80000000u;
    ok = ok && uhigh == 0x80000000u + b - 1 && up == 0 && down == 0 &&
         all == ~lanes && some == lanes;
    ok = ok && (b % 64 != 0 || odd == 0) && last == 3.0f;
    if (tid == 0 && ok)
        atomicAdd(out, total);
}
