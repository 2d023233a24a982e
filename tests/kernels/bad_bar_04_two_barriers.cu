// launch: block=64
// launch: block=256
// launch-ok: block=32
/* Each side of an if has a barrier of its own: the counts agree, the
   barriers do not. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    float sum;
    if (tid < 32) {
        __syncthreads();   // expect: barrier-divergence
        sum = s[31 - tid]; // may: race
    } else {
        __syncthreads(); // may: barrier-divergence
        sum = s[tid];
    }
    atomicAdd(out, sum);
}
