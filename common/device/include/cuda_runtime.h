/* <cuda_runtime.h>: lab.cuh already has what a kernel can use of it. */
