/* Speed thresholds.  See speed.h. */
#include "lab/speed.h"

#include <string.h>

static const struct speed speeds[] = {
#define SPEED(stage, nvcc, clang) {stage, nvcc, clang},
#include "lab/speed.def"
#undef SPEED
};

/* Below what the H200 shows at n = 2^22, block 256 (docs/time-model.md: 172,
 * 1.3, 1.8 and 1.7 times), so that another way to the same idea has room. */
static const struct {
    const char *stage;
    double gain;
} gains[] = {
    {"v1_interleaved", 50},
    {"v2_strided", 1.1},
    {"v4_first_add", 1.5},
    {"v6_gridstride_shuffle", 1.4},
};

double speed_gain(const struct stage *stage)
{
    for (size_t i = 0; i < sizeof gains / sizeof gains[0]; i++)
        if (strcmp(gains[i].stage, stage->name) == 0)
            return gains[i].gain;
    return 0;
}

const struct speed *speed_find(const struct stage *stage)
{
    for (size_t i = 0; i < sizeof speeds / sizeof speeds[0]; i++)
        if (stage && strcmp(speeds[i].stage, stage->name) == 0)
            return &speeds[i];
    return NULL;
}

double speed_reference_us(const struct speed *s, const char *compiler)
{
    return strncmp(compiler, "clang", 5) == 0 ? s->clang_us : s->nvcc_us;
}
