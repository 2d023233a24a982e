/* Each block sorts its elements in shared memory (bitonic): a barrier a step. */
__device__ float sorted[4 << 20];

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[1024];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;
    s[tid] = i < n ? in[i] : 2.0f;
    for (unsigned int size = 2; size <= blockDim.x; size *= 2)
        for (unsigned int stride = size / 2; stride > 0; stride /= 2) {
            __syncthreads();
            unsigned int other = tid ^ stride;
            if (other > tid) {
                float a = s[tid], b = s[other];
                if ((a > b) == ((tid & size) == 0)) {
                    s[tid] = b;
                    s[other] = a;
                }
            }
        }
    __syncthreads();
    if (i < n)
        sorted[i] = s[tid];
    if (i == 0)
        *out = s[0];
}
