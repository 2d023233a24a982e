// needs: nvcc
// launch: n=1000 block=1024 grid=600 budget=20000000 cooperative=0
// launch-ok: n=1000 block=64 grid=8 cooperative=1
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ float part[4096];

/* grid.sync() with more blocks than the GPU holds at once: a cooperative
   launch of them is refused, so it was launched without. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    cg::grid_group grid = cg::this_grid();

    if (threadIdx.x == 0)
        part[blockIdx.x] = 0.0f;
    __syncthreads();
    for (size_t i = grid.thread_rank(); i < n; i += grid.size())
        atomicAdd(&part[blockIdx.x], in[i]);
    grid.sync(); // expect: trap
    if (grid.thread_rank() == 0) {
        float sum = 0.0f;
        for (unsigned int b = 0; b < gridDim.x; b++)
            sum += part[b];
        *out = sum;
    }
}
