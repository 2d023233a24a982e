// expect: ok
// launch: block=64 grid=4 shared=512
// launch: n=1000 block=32 grid=2 shared=256
/* Two tiles in turn: one barrier a round is enough, for who fills a tile has
   passed the barrier after its last use. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x, turn = 0;
    float sum = 0.0f;

    for (size_t base = (size_t)blockIdx.x * blockDim.x; base < n;
         base += (size_t)gridDim.x * blockDim.x) {
        float *tile = s + turn * blockDim.x;
        tile[tid] = base + tid < n ? in[base + tid] : 0.0f;
        __syncthreads();
        sum += tile[blockDim.x - 1 - tid];
        turn = 1 - turn;
    }
    atomicAdd(out, sum);
}
