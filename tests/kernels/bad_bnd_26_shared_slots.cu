// launch: block=64
// launch: block=256
// launch-ok: block=16
/* The index of one row in a block of several rows: threads share slots and
   overwrite each other. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[16];
    unsigned int column = threadIdx.x % 16;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    s[column] = i < n ? in[i] : 0.0f; // expect: race
    __syncthreads();
    if (threadIdx.x < 16)
        atomicAdd(out, s[column]);
}
