/* The ladder: one entry a stage.  See stage.h for what the fields mean.
 *
 * Hints: level 1 asks, level 2 points, level 3 nearly says the line. */
#include "lab/stage.h"

static const uint32_t any_warps[] = {32,  64,  96,  128,  192,
                                     256, 512, 768, 1024, 0};
static const uint32_t powers[] = {32, 64, 128, 256, 512, 1024, 0};
static const uint32_t powers_from_64[] = {64, 128, 256, 512, 1024, 0};

const struct stage stages[] = {
    {
        .name = "v0_atomic",
        .title = "One atomic an element",
        .idea = "each thread adds its element to one word",
        .before = "a loop on the CPU: one worker adds everything",
        .block_rule = BLOCK_WARPS,
        .block_min = 32,
        .block_max = 1024,
        .default_block = 256,
        .blocks = any_warps,
        .items = 1,
        .grid_rule = GRID_COVER,
        .folded = 1,
        .points = 10,
        .fails_at = 2,
        .hints =
            {"Two threads both read *out = 5 and add 1 to it. What stands in "
             "*out after both have written, and what should stand there?",
             "Reading, adding and writing must be one step that no other "
             "thread can get between. CUDA has a function for it whose name "
             "says so; it takes an address and a value.",
             "The line is atomicAdd(address, value): the address is out, the "
             "value is this thread's element."},
    },
    {
        .name = "v1_interleaved",
        .title = "A tree in shared memory",
        .idea = "a block folds in shared memory: a tree",
        .before = "n atomics stand in one queue for one word",
        .block_rule = BLOCK_POWER_OF_TWO,
        .block_min = 32,
        .block_max = 1024,
        .default_block = 256,
        .blocks = powers,
        .items = 1,
        .grid_rule = GRID_COVER,
        .folded = 32,
        .points = 15,
        .fails_at = 2,
        .hints =
            {"With 8 words in s[], which threads add in the first round, and "
             "how far away is the word they add? And in the second round? "
             "How do you know that the others have finished theirs?",
             "The distance starts at 1 and doubles while it is smaller than "
             "blockDim.x; thread tid works when tid is a multiple of twice "
             "the distance. Every thread of the block, working or not, must "
             "reach __syncthreads(): after the load and after each round.",
             "for (stride = 1; stride < blockDim.x; stride *= 2) { if (tid % "
             "(2 * stride) == 0) s[tid] += ...; __syncthreads(); } with one "
             "__syncthreads() before the loop; at the end thread 0 does "
             "atomicAdd(out, s[0])."},
    },
    {
        .name = "v2_strided",
        .title = "Threads side by side",
        .idea = "the threads that work sit side by side",
        .before = "in each warp a few lanes work, the rest wait",
        .block_rule = BLOCK_POWER_OF_TWO,
        .block_min = 32,
        .block_max = 1024,
        .default_block = 256,
        .blocks = powers,
        .items = 1,
        .grid_rule = GRID_COVER,
        .folded = 32,
        .points = 15,
        .fails_at = 2,
        .hints =
            {"In the round with distance 1 the words 0, 2, 4 ... receive. "
             "Which word is thread 3's, if threads 0, 1, 2, 3 ... do the "
             "work?",
             "Give thread tid the word k = 2 * stride * tid. It has work "
             "only if k lies in the block's words. The partner is still one "
             "stride away.",
             "Inside the loop of v1: unsigned int k = 2 * stride * tid; if "
             "(k < blockDim.x) s[k] += s[k + stride]; and the barrier after "
             "the if, not in it."},
    },
    {
        .name = "v3_sequential",
        .title = "Sequential addressing",
        .idea = "neighbours add neighbouring words",
        .before = "many lanes hit the same of 32 banks",
        .block_rule = BLOCK_POWER_OF_TWO,
        .block_min = 32,
        .block_max = 1024,
        .default_block = 256,
        .blocks = powers,
        .items = 1,
        .grid_rule = GRID_COVER,
        .folded = 32,
        .points = 15,
        .fails_at = 2,
        .hints =
            {"Word w lives in bank w mod 32. In v2's round with stride 4, "
             "which banks do lanes 0 to 31 touch? Which words could they add "
             "instead so that all 32 banks are used?",
             "Fold the array in half: the left half of the words receives, "
             "the right half gives. The stride starts at half of the block "
             "and halves until it is 1.",
             "for (unsigned int stride = blockDim.x / 2; stride > 0; stride "
             "/= 2): a thread with tid < stride adds the word stride places "
             "to its right; then the barrier for all. One barrier before "
             "the loop, too."},
    },
    {
        .name = "v4_first_add",
        .title = "Add while loading",
        .idea = "each thread adds two while loading",
        .before = "half of the threads only carry, then idle",
        .block_rule = BLOCK_POWER_OF_TWO,
        .block_min = 32,
        .block_max = 1024,
        .default_block = 256,
        .blocks = powers,
        .items = 2,
        .grid_rule = GRID_COVER,
        .folded = 32,
        .points = 15,
        .fails_at = 257,
        .hints =
            {"Half as many blocks are launched now. Which elements belong to "
             "block 1, and which two of them to its thread 0?",
             "A block owns 2 * blockDim.x elements in a row. Thread tid takes "
             "the one at its place and the one blockDim.x further on. Each "
             "of the two may lie beyond n, and the second may although the "
             "first does not.",
             "size_t i = (size_t)blockIdx.x * (2 * blockDim.x) + tid; start "
             "a sum at 0, add in[i] if i < n, add in[i + blockDim.x] if that "
             "index is < n, and store the sum in s[tid]."},
    },
    {
        .name = "v5_unroll_last_warp",
        .title = "Unroll the last warp",
        .idea = "last six rounds: one warp, no barrier",
        .before = "block barriers for what one warp does alone",
        .block_rule = BLOCK_POWER_OF_TWO,
        .block_min = 64,
        .block_max = 1024,
        .default_block = 256,
        .blocks = powers_from_64,
        .items = 2,
        .grid_rule = GRID_COVER,
        .folded = 32,
        .points = 15,
        .fails_at = 2,
        .hints =
            {"From which stride on are all working threads in warp 0? Since "
             "Volta the lanes of a warp need not run in step: what may lane "
             "0 have done before lane 1 reads?",
             "Let the loop run while stride > 32. Then if (tid < 32) does "
             "the strides 32, 16, 8, 4, 2, 1 in straight lines, through a "
             "volatile float *. Between the read and the write of a step, "
             "and after it, the warp must meet: __syncwarp().",
             "One step: float x = s[tid + 32]; x += s[tid]; __syncwarp(); "
             "s[tid] = x; __syncwarp(); and the same with 16, 8, 4, 2, 1, "
             "s being volatile. All 32 lanes do all steps."},
    },
    {
        .name = "v6_gridstride_shuffle",
        .title = "Grid stride and shuffle",
        .idea = "any n, any grid; lanes read registers",
        .before = "n tied to the grid; round trips to memory",
        .block_rule = BLOCK_WARPS,
        .block_min = 32,
        .block_max = 1024,
        .default_block = 256,
        .blocks = any_warps,
        .items = 1,
        .grid_rule = GRID_FILL,
        .folded = 32,
        .points = 15,
        .fails_at = 2,
        .hints =
            {"If only 10 threads walk an array of 35 elements, which elements "
             "does thread 3 take? And in the warp: whose register must lane "
             "0 read so that five rounds suffice for 32 lanes?",
             "The step of the walk is the number of threads in the grid, in a "
             "size_t. In the warp use __shfl_down_sync(0xffffffff, x, offset) "
             "with offset 16, 8, 4, 2, 1. One word of shared memory a warp "
             "holds its sum; warp 0 folds those the same way.",
             "for (; i < n; i += (size_t)gridDim.x * blockDim.x) sum += "
             "in[i]; then x += __shfl_down_sync(0xffffffff, x, offset) five "
             "times; lane 0 writes warp_sums[tid / 32]; __syncthreads(); "
             "warp 0 loads warp_sums[lane] if lane < blockDim.x / 32, else "
             "0, folds, and its lane 0 does the atomicAdd."},
    },
    {
        .name = "x1_vectorized",
        .title = "Bytes in flight",
        .idea = "many loads on the way; 16 bytes each",
        .before = "a thread waits for each load by itself",
        .block_rule = BLOCK_WARPS,
        .block_min = 32,
        .block_max = 1024,
        .default_block = 512,
        .blocks = any_warps,
        .items = 16,
        .grid_rule = GRID_FILL,
        .folded = 32,
        .points = 10,
        .fails_at = 513,
        .hints =
            {"An SM holds 2048 threads. If each has one float on the way, how "
             "many bytes is that? The memory of an H200 gives 4.8 TB/s to 132 "
             "SMs and answers after 700 ns: how many bytes must an SM have on "
             "the way?",
             "Load LOADS values into an array of registers in one unrolled "
             "loop, and add them in a second one. A float4 pointer must be a "
             "multiple of 16: the elements before the first such address, and "
             "those behind the last whole tile, are added one by one.",
             "head = (16 - (size_t)in % 16) % 16 / 4, at most n; quads = "
             "(const float4 *)(in + head); tile t of a block starts at quads + "
             "t * blockDim.x * LOADS + threadIdx.x, and load k is blockDim.x "
             "further on; t starts at blockIdx.x and goes up by gridDim.x. "
             "The tail starts at head + 4 * tiles * tile."},
    },
    {
        .name = "x2_last_block",
        .title = "The last block finishes",
        .idea = "last block adds all, in a fixed order",
        .before = "sums in whatever order the blocks end",
        .block_rule = BLOCK_WARPS,
        .block_min = 32,
        .block_max = 1024,
        .default_block = 512,
        .blocks = any_warps,
        .items = 16,
        .grid_rule = GRID_FILL,
        .folded = 32,
        .is_fixed_order = true,
        .points = 10,
        .fails_at = 16385,
        .hints =
            {"How does a block find out that all others have left their sums, "
             "without waiting for them? And what does it help to know that, "
             "if their sums are not in memory yet?",
             "Thread 0 stores the sum, then __threadfence(), then takes a "
             "ticket with atomicAdd. Whoever gets workers - 1 is the last; all "
             "its threads learn it through a __shared__ bool and a barrier. "
             "After the ticket, before the reading, a fence again.",
             "if (threadIdx.x == 0) { partials[blockIdx.x] = sum; "
             "__threadfence(); is_last = atomicAdd(&tickets, 1u) == workers - "
             "1; __threadfence(); } __syncthreads(); the last block then adds "
             "__ldcg(&partials[k]) for k = threadIdx.x, + blockDim.x ..., "
             "folds with block_sum, writes *out and sets tickets to 0."},
    },
};

const int stage_count = sizeof stages / sizeof stages[0];
