// expect: ok
// needs: nvcc
// launch: block=256
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

/* CUB's warp-wide reduction and scan; a logical warp of 8 lanes among them. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    using Small = cub::WarpReduce<float, 8>;
    using Scan = cub::WarpScan<float>;
    __shared__ typename Small::TempStorage small[32];
    __shared__ typename Scan::TempStorage scan[8];
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int lane = threadIdx.x % 32;
    float x = i < n ? in[i] : 0.0f;
    float of_eight = Small(small[threadIdx.x / 8]).Sum(x);

    float running;
    Scan(scan[threadIdx.x / 32])
        .InclusiveSum(lane % 8 == 0 ? of_eight : 0.0f, running);
    if (lane == 31)
        atomicAdd(out, running);
}
