/* Picks the inner loop compiled for this host; alu.c says how it is compiled
 * once per x86 level. */
#include "sim/machine.h"

#include <string.h>

split_run_fn exec_run_portable;
#if ALU_X86
split_run_fn exec_run_avx2, exec_run_avx512;
#endif

split_run_fn *exec_pick(void)
{
#if ALU_X86
    const char *level = alu_level();
    if (!strcmp(level, "avx512"))
        return exec_run_avx512;
    if (!strcmp(level, "avx2"))
        return exec_run_avx2;
#endif
    return exec_run_portable;
}
