// expect: ok
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

/* Tiles of 4, 8 and 16 lanes: shuffles, votes and reductions that stay inside
   the tile. */
template <unsigned int size>
__device__ float tile_sum(cg::thread_block_tile<size> tile, float x)
{
    for (unsigned int d = size / 2; d > 0; d /= 2)
        x += tile.shfl_down(x, d);
    return tile.shfl(x, 0);
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    cg::thread_block block = cg::this_thread_block();
    auto four = cg::tiled_partition<4>(block);
    auto eight = cg::tiled_partition<8>(block);
    auto half = cg::tiled_partition<16>(block);
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float x = i < n ? in[i] : 0.0f;
    float by_four = tile_sum<4>(four, x);
    float by_eight = cg::reduce(eight, four.thread_rank() == 0 ? by_four : 0.0f,
                                cg::plus<float>());
    int lanes = cg::reduce(half, 1, cg::plus<int>());
    unsigned int most =
        cg::reduce(half, half.thread_rank(), cg::greater<unsigned int>());

    if (half.all(lanes == 16 && most == 15) && eight.thread_rank() == 0 &&
        eight.meta_group_rank() < eight.meta_group_size())
        atomicAdd(out, by_eight);
    half.sync();
}
