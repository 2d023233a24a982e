// expect: ok
/* Tables in constant and in global memory, with initial values, also of bytes
   and of pointers. */
__constant__ float weight[8] = {1.0f, 2.0f,  4.0f,  8.0f,
                                0.5f, 0.25f, -1.0f, -2.0f};
__constant__ unsigned char order[8] = {3, 1, 4, 0, 5, 2, 6, 7};
__device__ float back[8] = {1.0f, 0.5f, 0.25f, 0.125f,
                            2.0f, 4.0f, -1.0f, -0.5f};
__device__ const float *const tables[2] = {back, back + 4};
__device__ struct {
    short small;
    double big;
    int list[3];
} mixed = {-3, 1.5, {7, 0, -7}};

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int k = order[i % 8];

    if (i < n) {
        float zero = (float)(mixed.small + 2.0 * mixed.big +
                             mixed.list[i % 3 == 2 ? 2 : 0] +
                             mixed.list[i % 3 == 2 ? 0 : 2]);
        atomicAdd(out, in[i] * weight[k] * tables[k / 4][k % 4] + zero);
    }
}
