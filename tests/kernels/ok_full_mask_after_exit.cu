// expect: ok
// launch: n=1000 block=256
// launch: n=5 block=32
/* A full mask although lanes without an element have left. Hardware does not
 * wait for the dead, and the sum takes nothing from their lanes. */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int lane = threadIdx.x % 32;

    if (i >= n)
        return;
    size_t alive = n - (i - lane); // lanes of this warp which have an element
    float sum = in[i];
    for (unsigned int distance = 16; distance > 0; distance /= 2) {
        float other = __shfl_down_sync(0xffffffffu, sum, distance);
        if (lane + distance < alive)
            sum += other;
    }
    if (lane == 0)
        atomicAdd(out, sum);
}
