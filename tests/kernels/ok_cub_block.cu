// expect: ok
// needs: nvcc
// launch: block=128
#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>

/* CUB's block-wide pieces in a kernel of ours: a blocked load of four elements
 * a thread and a reduction of the block, in three of the library's ways. */
template <cub::BlockReduceAlgorithm way> __device__ float block_sum(float x)
{
    using Reduce = cub::BlockReduce<float, 128, way>;
    __shared__ typename Reduce::TempStorage scratch;

    float sum = Reduce(scratch).Sum(x);
    __syncthreads();
    return sum;
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    using Load = cub::BlockLoad<float, 128, 4, cub::BLOCK_LOAD_TRANSPOSE>;
    __shared__ typename Load::TempStorage scratch;
    float x[4], sum[3] = {0.0f, 0.0f, 0.0f};

    for (size_t base = (size_t)blockIdx.x * 512; base < n;
         base += (size_t)gridDim.x * 512) {
        Load(scratch).Load(in + base, x, (int)min(n - base, (size_t)512), 0.0f);
        sum[0] += x[0];
        sum[1] += x[1];
        sum[2] += x[2] + x[3];
        __syncthreads();
    }
    sum[0] = block_sum<cub::BLOCK_REDUCE_WARP_REDUCTIONS>(sum[0]);
    sum[1] = block_sum<cub::BLOCK_REDUCE_RAKING>(sum[1]);
    sum[2] = block_sum<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY>(sum[2]);
    if (threadIdx.x == 0)
        atomicAdd(out, sum[0] + sum[1] + sum[2]);
}
