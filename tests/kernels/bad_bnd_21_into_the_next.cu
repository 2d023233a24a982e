// launch: n=5000 block=64
/* One word of a is missing, so the last thread's neighbour is a word of b: no
   GPU notices, and since b holds zeros the sum is even right. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float a[64];
    __shared__ double b[32];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    a[tid] = i < n ? in[i] : 0.0f;
    if (tid < 32)
        b[tid] = 0.0;
    __syncthreads();
    if (tid % 2 == 1)
        b[tid / 2] = (double)a[tid] + a[tid + 1]; // expect: out-of-bounds race?
    __syncthreads();
    if (tid == 0) {
        double sum = a[0];
        for (int k = 0; k < 32; k++)
            sum += b[k];
        atomicAdd(out, (float)sum);
    }
}
