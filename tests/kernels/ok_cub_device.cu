// expect: ok
// needs: nvcc
#include <cub/device/device_reduce.cuh>

/* The host function below is never called. It makes nvcc put DeviceReduce's own
 * kernels into the PTX beside ours: a file with several kernels, long mangled
 * names and struct parameters must be read without harm. */
cudaError_t sum_of_all(void *scratch, size_t &scratch_bytes, const float *in,
                       float *out, size_t n)
{
    return cub::DeviceReduce::Sum(scratch, scratch_bytes, in, out, n);
}

extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n)
        atomicAdd(out, in[i]);
}
