// launch: n=1000 block=64 grid=1
// launch: n=64 block=64 grid=1
/* Warp 1 leaves its sums in shared memory and sets a flag; lane 0 of warp 0
   waits for it, but the other lanes do not wait for lane 0. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ float s[32];
    __shared__ int flag;
    unsigned int tid = threadIdx.x, lane = tid % 32;
    float sum = 0.0f;

    if (tid == 0)
        flag = 0;
    __syncthreads();
    for (size_t i = tid; i < n; i += blockDim.x)
        sum += in[i];
    if (tid >= 32) {
        s[lane] = sum;
        __syncwarp();
        if (lane == 0) {
            __threadfence_block();
            *(volatile int *)&flag = 1;
        }
    } else {
        if (lane == 0) {
            while (*(volatile int *)&flag == 0) {
            }
            __threadfence_block();
        }
        atomicAdd(out, sum + s[lane]); // expect: race
    }
}
