// expect: ok
// launch: n=5000 block=256
/* One thread after the other adds to one shared word, with a barrier between
   the turns. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float total;
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    for (unsigned int turn = 0; turn < blockDim.x; turn++) {
        if (threadIdx.x == turn)
            total = (turn > 0 ? total : 0.0f) + (i < n ? in[i] : 0.0f);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(out, total);
}
