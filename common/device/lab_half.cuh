#ifndef LAB_HALF_CUH
#define LAB_HALF_CUH
#endif
