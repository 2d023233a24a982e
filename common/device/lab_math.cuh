#ifndef LAB_MATH_CUH
#define LAB_MATH_CUH
LAB_FN float fminf(float a, float b) { return __builtin_fminf(a, b); }
#endif
