// expect: ok
// launch: block=32
// launch: block=128
/* The lanes write on one side of an if, meet, and read on the other. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    unsigned int lane = tid % 32;
    float x = i < n ? in[i] : 0.0f;

    if (lane < 16)
        s[tid] = x;
    __syncwarp();
    if (lane >= 16)
        atomicAdd(out, x + s[tid - 16]);
}
