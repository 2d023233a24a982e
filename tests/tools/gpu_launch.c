/* One launch of a kernel of ours on a GPU, with nothing around it: for
 * compute-sanitizer and ncu.  There are no guard zones (memcheck is to see
 * the first byte outside) and no fork.
 *
 *   gpu_launch FILE.ptx [n=1003] [block=256] [grid=0] [shared=-1] [offset=0]
 *              [data=random] [cooperative=0] [seed=1]
 *
 * Prints the value of *out.  Exit status: 0 it ran, 1 the GPU stopped it, 2
 * it could not run. */
#include "base/arena.h"
#include "device/cuda_api.h"
#include "lab/data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    const char *file;
    long n, block, grid, shared, offset, cooperative, seed, budget;
    enum data_kind data;
} asked = {NULL, 1003, 256, 0, -1, 0, 0, 1, 0, DATA_RANDOM};

static struct cuda_api api;

static void check(int result, const char *what, int status)
{
    char words[256];
    if (result == CUDA_OK)
        return;
    printf("%s: %s\n", what, cuda_words(&api, result, words, sizeof words));
    fflush(NULL);
    exit(status);
}

static bool read_pair(const char *pair)
{
    const struct {
        const char *name;
        long *value;
    } numbers[] = {
        {"n=", &asked.n},
        {"block=", &asked.block},
        {"grid=", &asked.grid},
        {"shared=", &asked.shared},
        {"offset=", &asked.offset},
        {"cooperative=", &asked.cooperative},
        {"seed=", &asked.seed},
        {"budget=", &asked.budget}, /* for the simulator only */
    };
    struct error e;
    if (strncmp(pair, "data=", 5) == 0)
        return data_find(pair + 5, &asked.data, &e);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        size_t length = strlen(numbers[i].name);
        if (strncmp(pair, numbers[i].name, length) == 0) {
            *numbers[i].value = strtol(pair + length, NULL, 10);
            return true;
        }
    }
    return false;
}

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        printf("cannot read %s\n", path);
        exit(2);
    }
    long size = ftell(file);
    rewind(file);
    char *text = checked_alloc((size_t)size + 1);
    text[fread(text, 1, (size_t)size, file)] = '\0';
    fclose(file);
    return text;
}

static cuda_handle load(const char *path)
{
    cuda_handle context, module, function;
    struct error e;
    char *text = read_all(path);

    if (!cuda_api_open(&api, &e)) {
        puts(e.text);
        exit(2);
    }
    check(api.context_retain(&context, 0), "the GPU", 2);
    check(api.context_use(context), "the GPU", 2);
    check(api.module_load(&module, text, 0, NULL, NULL), path, 2);
    check(api.module_function(&function, module, "reduce"), "reduce", 2);
    free(text);
    return function;
}

static cuda_address make_input(void)
{
    size_t count = (size_t)(asked.n + asked.offset);
    float *x = checked_alloc(count * sizeof *x + 1);
    cuda_address in = 0;

    data_fill(asked.data, (uint64_t)asked.seed, (uint64_t)asked.n, 0,
              (uint64_t)asked.n, x + asked.offset);
    check(api.memory_new(&in, count * sizeof *x + !count), "in", 2);
    check(api.to_device(in, x, count * sizeof *x), "in", 2);
    free(x);
    return in;
}

int main(int argc, char **argv)
{
    cuda_address in, out;
    const float zero = 0;
    float value = 0;

    for (int i = 2; i < argc; i++)
        if (!read_pair(argv[i])) {
            printf("not understood: %s\n", argv[i]);
            return 2;
        }
    if (argc < 2 || asked.n < 0 || asked.block < 1)
        return 2;
    if (asked.grid == 0)
        asked.grid = asked.n / asked.block + (asked.n % asked.block != 0);
    if (asked.grid == 0)
        asked.grid = 1;
    if (asked.shared < 0)
        asked.shared = asked.block * 4;
    cuda_handle function = load(argv[1]);
    in = make_input();
    check(api.memory_new(&out, sizeof value), "out", 2);
    check(api.to_device(out, &zero, sizeof zero), "out", 2);
    cuda_address start = in + (cuda_address)asked.offset * sizeof(float);
    uint64_t n = (uint64_t)asked.n;
    void *params[] = {&start, &out, &n};
    unsigned grid = (unsigned)asked.grid, block = (unsigned)asked.block;
    check(asked.cooperative
              ? api.launch_together(function, grid, 1, 1, block, 1, 1,
                                    (unsigned)asked.shared, NULL, params)
              : api.launch(function, grid, 1, 1, block, 1, 1,
                           (unsigned)asked.shared, NULL, params, NULL),
          "the launch", 2);
    check(api.stream_wait(NULL), "the kernel", 1);
    check(api.to_host(&value, out, sizeof value), "the kernel", 1);
    printf("%.9g\n", (double)value);
    return 0;
}
