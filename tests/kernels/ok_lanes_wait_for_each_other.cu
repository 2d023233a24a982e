// expect: ok
// launch: n=64 block=64 grid=1
/* Lane 0 waits in a loop for a flag that lane 31 of the same warp sets
   afterwards on the other side of the branch. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    __shared__ volatile int flag[2];
    unsigned int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

    flag[warp] = 0;
    __syncwarp();
    if (lane == 0) {
        while (flag[warp] == 0)
            __nanosleep(20);
    } else if (lane == 31) {
        flag[warp] = 1;
    }
    __syncwarp();
    if (threadIdx.x < n)
        atomicAdd(out, in[threadIdx.x]);
}
