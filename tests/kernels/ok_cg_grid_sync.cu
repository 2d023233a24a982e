// expect: ok
// needs: nvcc
// launch: block=128 grid=6 cooperative=1
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ float partial[1024];

/* All blocks leave their sums, the grid synchronises, block 0 adds them up.
   Needs a cooperative launch. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    cg::grid_group grid = cg::this_grid();
    __shared__ float total;

    if (threadIdx.x == 0)
        total = 0.0f;
    __syncthreads();
    for (size_t i = grid.thread_rank(); i < n; i += grid.size())
        atomicAdd(&total, in[i]);
    __syncthreads();
    if (threadIdx.x == 0)
        partial[blockIdx.x] = total;
    grid.sync();
    if (grid.thread_rank() == 0) {
        float sum = 0.0f;
        for (unsigned int b = 0; b < gridDim.x; b++)
            sum += partial[b];
        *out = sum;
    }
}
