/* Writes the PTX of the reference solutions that the grader measures students'
 * kernels against on a GPU (grading/reference/, see grading/suite_fast.c).
 *
 *   reference_ptx FOLDER    FOLDER/v3_sequential.nvcc.ptx and so on
 *
 * The first line names the compiler.  What only a debugger wants is left out:
 * lines of the source, sections, comments.  A compiler that is not here
 * writes nothing. */
#include "lab/kernel.h"

#include <stdio.h>
#include <string.h>

static bool starts(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

/* What a line is for, without the blanks in front of it. */
static bool is_kept(const char *line, int *depth)
{
    line += strspn(line, " \t");
    if (starts(line, ".section"))
        *depth = 1;
    if (*depth > 0) {
        if (*line == '}')
            *depth = 0;
        return false;
    }
    return *line && *line != '\n' && !starts(line, "//") &&
           !starts(line, ".loc") && !starts(line, ".file") &&
           !starts(line, "$L__tmp") && !starts(line, "$L__func") &&
           !starts(line, "$L__info");
}

static bool write_ptx(const char *path, const struct kernel *k)
{
    char line[4096];
    int depth = 0;
    FILE *file = fopen(path, "w");
    FILE *from = fmemopen((void *)k->compiled.ptx, k->compiled.length, "r");

    if (file && from) {
        fprintf(file, "// made by `make figures` with %s\n",
                k->compiled.compiler);
        while (fgets(line, sizeof line, from))
            if (is_kept(line, &depth))
                fputs(line, file);
    }
    bool ok = file && from;
    if (from)
        fclose(from);
    if (file && fclose(file) != 0)
        ok = false;
    return ok;
}

static bool write_one(const struct home *home, struct device *device,
                      const struct stage *stage, const char *compiler,
                      const char *folder)
{
    char path[1200];
    struct error e;
    struct kernel k = {0};
    const struct kernel_request request = {.home = home,
                                           .device = device,
                                           .target = stage->name,
                                           .from = "solutions",
                                           .compiler = compiler};

    snprintf(path, sizeof path, "%s/%s.%s.ptx", folder, stage->name, compiler);
    bool ok = kernel_load(&request, &k, &e) == OUTCOME_OK;
    if (!ok)
        fprintf(stderr, "reference_ptx: %s\n", e.text);
    else if (!write_ptx(path, &k))
        ok = false, fprintf(stderr, "reference_ptx: cannot write %s\n", path);
    kernel_free(&k);
    return ok;
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"nvcc", "clang"};
    struct home home;
    struct error e;
    struct device *device = device_open("sim", &e);
    bool ok = true;

    if (argc != 2 || !device || !home_find(&home, &e) ||
        !make_folders(argv[1])) {
        fprintf(stderr, "usage: reference_ptx FOLDER\n");
        return 2;
    }
    for (int c = 0; c < 2; c++) {
        struct compiler found;
        for (int i = 0; i < stage_count && ok; i++)
            if (compiler_find(NULL, names[c], &found, &e))
                ok = write_one(&home, device, &stages[i], names[c], argv[1]);
    }
    device_close(device);
    return ok ? 0 : 2;
}
