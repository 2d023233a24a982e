// expect: ok
// needs: nvcc
// launch: block=256 grid=5
// launch: block=256 grid=2 n=4097 offset=1
// launch: block=256 grid=1 n=100
#include <cub/agent/agent_reduce.cuh>
#include <cub/grid/grid_even_share.cuh>

/* What a block of CUB's DeviceReduce does: tiles of 4096 elements, 16 bytes a
   load where the address allows it. */
using policy =
    cub::AgentReducePolicy<256, 16, float, 4, cub::BLOCK_REDUCE_WARP_REDUCTIONS,
                           cub::LOAD_LDG>;
using agent =
    cub::detail::reduce::AgentReduce<policy, const float *, float *, long long,
                                     cuda::std::plus<>, float>;

extern "C" __global__ void __launch_bounds__(256)
    reduce(const float *in, float *out, size_t n)
{
    __shared__ typename agent::TempStorage scratch;
    cub::GridEvenShare<long long> share;

    if (n == 0)
        return;
    share.DispatchInit((long long)n, (int)gridDim.x, agent::TILE_ITEMS);
    if ((int)blockIdx.x >= share.grid_size)
        return;
    float sum = agent(scratch, in, cuda::std::plus<>()).ConsumeTiles(share);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}
