// expect: ok
// needs: nvcc
// launch: n=2000 block=96 grid=4
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
/* The reduction of cooperative groups, on tiles of 16. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    auto block = cg::this_thread_block();
    auto tile = cg::tiled_partition<16>(block);
    float x = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        x += in[i];
    x = cg::reduce(tile, x, cg::plus<float>());
    if (tile.thread_rank() == 0)
        atomicAdd(out, x);
}
