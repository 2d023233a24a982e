// expect: ok
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

/* The lanes that are in a branch form a group, which reduces and elects a
   leader. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && threadIdx.x % 3 != 0) {
        cg::coalesced_group group = cg::coalesced_threads();
        float sum = cg::reduce(group, in[i], cg::plus<float>());
        if (group.thread_rank() == 0)
            atomicAdd(out, sum);
    } else if (i < n) {
        cg::coalesced_group group = cg::coalesced_threads();
        float sum = 0.0f;
        for (unsigned int k = 0; k < group.size(); k++)
            sum += group.shfl(in[i], k);
        if (group.thread_rank() == group.size() - 1)
            atomicAdd(out, sum);
    }
}
