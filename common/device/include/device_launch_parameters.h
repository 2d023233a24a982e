/* <device_launch_parameters.h>: lab.cuh already has what a kernel can use of
   it. */
