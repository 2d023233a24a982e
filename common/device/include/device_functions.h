/* <device_functions.h>: lab.cuh already has what a kernel can use of it. */
