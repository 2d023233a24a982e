// launch: block=64
// launch: block=256
// launch: n=5000 block=1024 grid=5
/* The last warp on a plain array with nothing between the steps: a compiler
   may load all words first and store once at the end. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (unsigned int stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid < 32) {
        s[tid] += s[tid + 32];
        s[tid] += s[tid + 16]; // may: race
        s[tid] += s[tid + 8];  // may: race
        s[tid] += s[tid + 4];  // may: race
        s[tid] += s[tid + 2];  // may: race
        s[tid] += s[tid + 1];  // may: race
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
