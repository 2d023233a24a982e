/* <sm_60_atomic_functions.h>: lab.cuh already has it. */
