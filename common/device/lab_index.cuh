/* lab_index.cuh: threadIdx, blockIdx, blockDim, gridDim, warpSize.
 *
 * Each is an object without storage: reading .x calls a function which reads
 * the special register (PTX ISA, "Special Registers"). Nothing can be written.
 */
#ifndef LAB_INDEX_CUH
#define LAB_INDEX_CUH

#define LAB_AXIS(axis, sreg)                                      \
    __declspec(property(get = lab_get_##axis)) unsigned int axis; \
    LAB_MEMBER unsigned int lab_get_##axis() const                \
    {                                                             \
        return __nvvm_read_ptx_sreg_##sreg##_##axis();            \
    }

#define LAB_INDEX(name, sreg, vector)                             \
    struct lab_##sreg {                                           \
        LAB_AXIS(x, sreg)                                         \
        LAB_AXIS(y, sreg)                                         \
        LAB_AXIS(z, sreg)                                         \
        LAB_MEMBER operator vector() const                        \
        {                                                         \
            return vector{lab_get_x(), lab_get_y(), lab_get_z()}; \
        }                                                         \
        lab_##sreg(const lab_##sreg &) = delete;                  \
        void operator=(const lab_##sreg &) const = delete;        \
    };                                                            \
    extern const __device__ __attribute__((weak)) lab_##sreg name;

LAB_INDEX(threadIdx, tid, uint3)
LAB_INDEX(blockIdx, ctaid, uint3)
LAB_INDEX(blockDim, ntid, dim3)
LAB_INDEX(gridDim, nctaid, dim3)

static constexpr int warpSize = 32;

#endif
