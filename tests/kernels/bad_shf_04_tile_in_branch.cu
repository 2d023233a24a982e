// needs: nvcc
// launch: n=1000 block=64
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
/* The shuffles of a tile of 32 in a branch that some lanes do not take. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i < n) {
        float x = in[i];
        for (int d = 16; d; d /= 2)
            x += tile.shfl_down(x, d); // expect: bad-sync-mask
        if (tile.thread_rank() == 0)
            atomicAdd(out, x);
    }
}
