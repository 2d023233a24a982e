/* Writes common/lab/speed.def: the modelled times of the reference solutions
 * (common/lab/speed.h).  A stage keeps the stored figure of a compiler that
 * is not here. */
#include "lab/model.h"
#include "lab/speed.h"

#include <stdio.h>

static double figure(const struct home *home, struct device *device,
                     struct model_input *input, const struct stage *stage,
                     const char *compiler, struct error *e)
{
    struct kernel k = {0};
    struct cost_result r = {0};
    struct error missing;
    struct compiler found;
    const struct kernel_request request = {.home = home,
                                           .device = device,
                                           .target = stage->name,
                                           .from = "solutions",
                                           .compiler = compiler};
    const struct model_spec spec = {.gpu = gpu_find("h200", e),
                                    .n = SPEED_N,
                                    .block = stage->default_block,
                                    .shared = -1};
    const struct speed *known = speed_find(stage);

    if (!compiler_find(NULL, compiler, &found, &missing))
        return known ? speed_reference_us(known, compiler) : 0;
    bool ok = kernel_load(&request, &k, e) == OUTCOME_OK &&
              model_time(&k, input, &spec, &r, e);
    kernel_free(&k);
    return ok ? r.time_ns / 1000 : -1;
}

int main(void)
{
    struct home home;
    struct error e;
    struct device *device = device_open("sim", &e);
    struct model_input *input =
        device ? model_input_new(device, SPEED_N, &e) : NULL;

    if (!input || !home_find(&home, &e)) {
        fprintf(stderr, "speed_figures: %s\n", e.text);
        return 2;
    }
    printf("/* SPEED(stage, nvcc, clang): microseconds on an H200, modelled; "
           "made by\n * `make figures`. */\n");
    for (int i = 0; i < stage_count; i++) {
        double nvcc = figure(&home, device, input, &stages[i], "nvcc", &e);
        double clang = figure(&home, device, input, &stages[i], "clang", &e);
        if (nvcc < 0 || clang < 0) {
            fprintf(stderr, "speed_figures: %s\n", e.text);
            return 2;
        }
        printf("SPEED(\"%s\", %.2f, %.2f)\n", stages[i].name, nvcc, clang);
    }
    model_input_free(input);
    device_close(device);
    return 0;
}
