/* <cooperative_groups/reduce.h> for clang without a CUDA Toolkit: reduce() over
 * a tile or the coalesced threads; every thread of the group gets the result.
 */
#ifndef LAB_COOPERATIVE_GROUPS_REDUCE_H
#define LAB_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups
{

#define LAB_OPERATOR(name, result)                                             \
    template <class T> struct name {                                           \
        LAB_METHOD T operator()(T a, T b) const                                \
        {                                                                      \
            return result;                                                     \
        }                                                                      \
    };

LAB_OPERATOR(plus, a + b)
LAB_OPERATOR(less, b < a ? b : a)    // the lesser of the two
LAB_OPERATOR(greater, a < b ? b : a) // the greater of the two
LAB_OPERATOR(bit_and, a &b)
LAB_OPERATOR(bit_or, a | b)
LAB_OPERATOR(bit_xor, a ^ b)

/* A butterfly: after it all lanes hold the same. */
template <unsigned int lanes, class parent, class T, class op>
LAB_FN T reduce(const thread_block_tile<lanes, parent> &tile, T x, op combine)
{
    for (unsigned int bit = lanes / 2; bit > 0; bit /= 2)
        x = combine(x, tile.shfl_xor(x, (int)bit));
    return x;
}

/* Any lanes may be missing, so each rank is asked in turn. */
template <class T, class op>
LAB_FN T reduce(const coalesced_group &group, T x, op combine)
{
    T result = group.shfl(x, 0);

    for (unsigned int rank = 1; rank < group.size(); rank++)
        result = combine(result, group.shfl(x, rank));
    return result;
}

} // namespace cooperative_groups

#endif
