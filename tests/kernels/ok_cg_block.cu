// expect: ok
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

/* The block as a group: its rank, its size, its barrier; each warp's sum by the
   library. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    float sum = 0.0f;

    for (size_t i = (size_t)blockIdx.x * block.size() + block.thread_rank();
         i < n; i += (size_t)gridDim.x * block.size())
        sum += in[i];
    s[block.thread_rank()] = cg::reduce(warp, sum, cg::plus<float>());
    block.sync();
    if (block.thread_rank() == 0) {
        sum = 0.0f;
        for (unsigned int k = 0; k < block.size(); k += warp.size())
            sum += s[k];
        atomicAdd(out, sum);
    }
}
