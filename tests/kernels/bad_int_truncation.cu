// expect: wrong
// data: random negative
/* A sum of two floats goes through an int and loses its fraction. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            int v = s[tid] + s[tid + stride]; // expect: suspicious
            s[tid] = v;
        }
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
