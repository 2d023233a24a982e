// launch: block=32
// launch: block=128
// launch-ok: block=16
/* The lower and the upper lanes: the two barriers divide a warp. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    float sum;
    if (tid < 16) {
        __syncthreads();   // expect: barrier-divergence
        sum = s[15 - tid]; // may: race
    } else {
        __syncthreads(); // may: barrier-divergence
        sum = s[tid];
    }
    atomicAdd(out, sum);
}
