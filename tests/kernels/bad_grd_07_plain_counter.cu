// launch: block=64 grid=8
// launch: n=1000 block=64 grid=2
// launch-ok: n=1000 block=256 grid=1
/* The ticket comes from a plain load, add and store: two blocks can get the
   same one. */
__device__ float part[4096];
__device__ unsigned int tickets;

__device__ unsigned int next_ticket()
{
    unsigned int mine = tickets;
    tickets = mine + 1; // expect: race
    return mine;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float total;
    unsigned int tid = threadIdx.x;

    if (tid == 0)
        total = 0.0f;
    __syncthreads();
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        atomicAdd(&total, in[i]);
    __syncthreads();
    if (tid == 0) {
        part[blockIdx.x] = total;
        __threadfence();
        if (next_ticket() == gridDim.x - 1) {
            __threadfence();
            float sum = 0.0f;
            for (unsigned int b = 0; b < gridDim.x; b++)
                sum += part[b]; // may: race
            *out = sum;         // may: race
            tickets = 0;        // may: race
        }
    }
}
