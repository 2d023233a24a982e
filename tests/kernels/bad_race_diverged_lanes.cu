// launch: block=32
// launch: block=128
/* The two sides of an if meet again at its end, but that is no __syncwarp(). */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    unsigned int lane = tid % 32;
    float x = i < n ? in[i] : 0.0f;

    if (lane < 16)
        *(volatile float *)&s[tid] = x;
    else
        x += *(volatile float *)&s[tid - 16]; // expect: race
    if (lane >= 16)
        atomicAdd(out, x); // may: uninitialized
}
