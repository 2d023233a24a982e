/* A switch of which every warp takes all four arms, each long enough to be
 * jumped to. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    float sum = 0.0f;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        float x = in[i];
        switch (threadIdx.x & 3) {
        case 0: {
            float root = 1.0f;
            for (int k = 0; k < 6; k++)
                root = 0.5f * (root + __fdividef(x * x + 1.0f, root));
            sum += root;
            break;
        }
        case 1: {
            float power = 1.0f;
            for (int k = 1; k < 12; k++)
                power = fmaf(power, x * 0.5f, (float)k);
            sum -= power;
            break;
        }
        case 2: {
            unsigned int bits = __float_as_uint(x);
            for (int k = 0; k < 5; k++)
                bits = (bits ^ bits >> 13) * 0x5bd1e995u;
            sum += (float)(bits >> 24);
            break;
        }
        default: sum += __sinf(x) * __cosf(2.0f * x) + __logf(x + 2.0f);
        }
    }
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, sum);
}
