/* <cooperative_groups.h> for clang without a CUDA Toolkit: the block, tiles of
 * 1 to 32 lanes, the coalesced threads, and the grid without its barrier.
 *
 * A group knows the mask of its lanes in the warp; every operation is the
 * warp's with that mask. Missing: grid sync, clusters, labelled and binary
 * partitions, memcpy_async. Those need nvcc.
 */
#ifndef LAB_COOPERATIVE_GROUPS_H
#define LAB_COOPERATIVE_GROUPS_H

#define LAB_METHOD __attribute__((device, always_inline, nodebug))

namespace cooperative_groups
{

LAB_FN unsigned int lab_thread_in_block()
{
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
LAB_FN unsigned int lab_block_size()
{
    return blockDim.x * blockDim.y * blockDim.z;
}
LAB_FN unsigned int lab_lane()
{
    unsigned int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

struct thread_block {
    LAB_METHOD static void sync()
    {
        __syncthreads();
    }
    LAB_METHOD static unsigned int thread_rank()
    {
        return lab_thread_in_block();
    }
    LAB_METHOD static unsigned int size()
    {
        return lab_block_size();
    }
    LAB_METHOD static unsigned int num_threads()
    {
        return lab_block_size();
    }
    LAB_METHOD static dim3 group_index()
    {
        return dim3(blockIdx);
    }
    LAB_METHOD static dim3 thread_index()
    {
        return dim3(threadIdx);
    }
    LAB_METHOD static dim3 dim_threads()
    {
        return blockDim;
    }
    LAB_METHOD static dim3 group_dim()
    {
        return blockDim;
    }
};

LAB_FN thread_block this_thread_block()
{
    return thread_block();
}

struct grid_group {
    LAB_METHOD static unsigned long long block_rank()
    {
        return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) *
                   gridDim.x +
               blockIdx.x;
    }
    LAB_METHOD static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    LAB_METHOD static unsigned long long thread_rank()
    {
        return block_rank() * lab_block_size() + lab_thread_in_block();
    }
    LAB_METHOD static unsigned long long size()
    {
        return num_blocks() * lab_block_size();
    }
    LAB_METHOD static unsigned long long num_threads()
    {
        return size();
    }
};

LAB_FN grid_group this_grid()
{
    return grid_group();
}

/* A group of lanes of one warp which are next to each other; their number is a
 * power of two that is known to the compiler. */
template <unsigned int lanes, class parent = thread_block>
struct thread_block_tile {
    static_assert(lanes > 0 && lanes <= 32 && (lanes & (lanes - 1)) == 0,
                  "a tile has 1, 2, 4, 8, 16 or 32 lanes");

    LAB_METHOD static unsigned int lab_mask()
    {
        return (0xffffffffu >> (32 - lanes)) << (lab_lane() & ~(lanes - 1));
    }
    LAB_METHOD static unsigned int thread_rank()
    {
        return lab_lane() & (lanes - 1);
    }
    LAB_METHOD static constexpr unsigned int size()
    {
        return lanes;
    }
    LAB_METHOD static constexpr unsigned int num_threads()
    {
        return lanes;
    }
    LAB_METHOD static unsigned int meta_group_rank()
    {
        return lab_thread_in_block() / lanes;
    }
    LAB_METHOD static unsigned int meta_group_size()
    {
        return (lab_block_size() + lanes - 1) / lanes;
    }
    LAB_METHOD static void sync()
    {
        __syncwarp(lab_mask());
    }
    template <class T> LAB_METHOD T shfl(T x, int rank) const
    {
        return __shfl_sync(lab_mask(), x, rank, lanes);
    }
    template <class T> LAB_METHOD T shfl_up(T x, unsigned int distance) const
    {
        return __shfl_up_sync(lab_mask(), x, distance, lanes);
    }
    template <class T> LAB_METHOD T shfl_down(T x, unsigned int distance) const
    {
        return __shfl_down_sync(lab_mask(), x, distance, lanes);
    }
    template <class T> LAB_METHOD T shfl_xor(T x, int bits) const
    {
        return __shfl_xor_sync(lab_mask(), x, bits, lanes);
    }
    LAB_METHOD int any(int condition) const
    {
        return __any_sync(lab_mask(), condition);
    }
    LAB_METHOD int all(int condition) const
    {
        return __all_sync(lab_mask(), condition);
    }
    /* Bit r belongs to the thread of rank r, so the tile starts at bit 0. */
    LAB_METHOD unsigned int ballot(int condition) const
    {
        return __ballot_sync(lab_mask(), condition) >>
               (lab_lane() & ~(lanes - 1));
    }
    template <class T> LAB_METHOD unsigned int match_any(T x) const
    {
        return __match_any_sync(lab_mask(), x) >> (lab_lane() & ~(lanes - 1));
    }
};

template <unsigned int lanes, class parent>
LAB_FN thread_block_tile<lanes, parent> tiled_partition(const parent &)
{
    return thread_block_tile<lanes, parent>();
}

/* The lanes that were together when coalesced_threads() was called. */
struct coalesced_group {
    unsigned int lab_lanes;

    LAB_METHOD unsigned int lab_mask() const
    {
        return lab_lanes;
    }
    /* The lane which has this rank: the rank-th set bit. */
    LAB_METHOD int lab_lane_of(unsigned int rank) const
    {
        unsigned int left = lab_lanes;

        for (; rank > 0 && left != 0; rank--)
            left &= left - 1;
        return __ffs((int)left) - 1;
    }
    LAB_METHOD unsigned int size() const
    {
        return (unsigned int)__popc(lab_lanes);
    }
    LAB_METHOD unsigned int num_threads() const
    {
        return size();
    }
    LAB_METHOD unsigned int thread_rank() const
    {
        return (unsigned int)__popc(lab_lanes & __lanemask_lt());
    }
    LAB_METHOD void sync() const
    {
        __syncwarp(lab_lanes);
    }
    template <class T> LAB_METHOD T shfl(T x, unsigned int rank) const
    {
        return __shfl_sync(lab_lanes, x, lab_lane_of(rank));
    }
    /* Out of range gives the own value back, as with a tile. */
    template <class T> LAB_METHOD T shfl_down(T x, unsigned int distance) const
    {
        unsigned int rank = thread_rank();
        return shfl(x, rank + distance < size() ? rank + distance : rank);
    }
    template <class T> LAB_METHOD T shfl_up(T x, unsigned int distance) const
    {
        unsigned int rank = thread_rank();
        return shfl(x, rank >= distance ? rank - distance : rank);
    }
    LAB_METHOD int any(int condition) const
    {
        return __any_sync(lab_lanes, condition);
    }
    LAB_METHOD int all(int condition) const
    {
        return __all_sync(lab_lanes, condition);
    }
};

LAB_FN coalesced_group coalesced_threads()
{
    return coalesced_group{__activemask()};
}

template <class group> LAB_FN void sync(const group &g)
{
    g.sync();
}

} // namespace cooperative_groups

#endif
