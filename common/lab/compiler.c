/* Finding nvcc or clang on this machine.  See compile.h. */
#include "lab/compile.h"
#include "lab/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OLDEST_CLANG = 14, NEWEST_CLANG = 22, LOWEST_ARCH = 80 };

/* Which program it is: a new one at the old path has another line. */
static bool identify(const char *program, struct text *line)
{
    struct stat s;

    if (stat(program, &s) != 0)
        return false;
    text_printf(line, "%s %lld %lld.%09ld %llu\n", program,
                (long long)s.st_size, (long long)s.st_mtim.tv_sec,
                s.st_mtim.tv_nsec, (unsigned long long)s.st_ino);
    return true;
}

/* The answer is kept, behind the program's line: to ask clang for its version
 * takes longer than to run a small kernel. */
static bool kept_answer(const char *path, const struct text *program,
                        struct text *answer)
{
    struct text kept = {0};
    struct error ignored;
    bool ok = access(path, R_OK) == 0 &&
              text_read_file(&kept, path, 1 << 16, &ignored) &&
              kept.length > program->length &&
              memcmp(kept.data, program->data, program->length) == 0;

    if (ok)
        text_puts(answer, kept.data + program->length);
    text_free(&kept);
    return ok;
}

static void keep_answer(const char *path, const struct text *program,
                        const struct text *answer)
{
    struct text whole = {0};
    struct error ignored;

    text_add(&whole, program->data, program->length);
    text_add(&whole, answer->data, answer->length);
    text_write_file(path, whole.data, whole.length, &ignored);
    text_free(&whole);
}

static bool ask_program(const char *program, const char *option,
                        struct text *answer)
{
    char *argv[] = {(char *)program, (char *)option, NULL};
    struct process_result r;
    struct error ignored;

    if (!process_run(argv, 20, NULL, &r, &ignored))
        return false;
    bool ok = r.status == 0;
    if (ok)
        text_add(answer, r.out.data ? r.out.data : "", r.out.length);
    process_result_free(&r);
    return ok;
}

static bool ask(const struct compiler *c, const char *option,
                struct text *answer)
{
    const char *name = strrchr(c->path, '/');
    struct text program = {0};
    char path[1200];

    if (!c->cache || !*c->cache || !name || !identify(c->path, &program))
        return ask_program(c->path, option, answer);
    snprintf(path, sizeof path, "%.1000s/%.60s%s", c->cache, name + 1, option);
    bool ok = kept_answer(path, &program, answer);
    if (!ok) {
        ok = ask_program(c->path, option, answer);
        if (ok && answer->length)
            keep_answer(path, &program, answer);
    }
    text_free(&program);
    return ok;
}

/* The number after `word`, or -1. */
static int number_after(const char *text, const char *word)
{
    const char *at = strstr(text, word);
    return at ? atoi(at + strlen(word)) : -1;
}

/* The lowest architecture from sm_80 on (redux and bf16 start there) that it
 * compiles for, from a list of lines "compute_80"; an nvcc too old to have the
 * list knows sm_80. */
static int lowest_arch(const struct compiler *nvcc)
{
    struct text list = {0};
    int lowest = 0;

    if (ask(nvcc, "--list-gpu-arch", &list))
        for (const char *p = list.data; (p = strstr(p, "compute_")); p++) {
            int arch = atoi(p + 8);
            if (arch >= LOWEST_ARCH && (!lowest || arch < lowest))
                lowest = arch;
        }
    text_free(&list);
    return lowest ? lowest : LOWEST_ARCH;
}

static bool try_nvcc(struct compiler *c)
{
    struct text version = {0};

    c->kind = COMPILER_NVCC;
    if (access(c->path, X_OK) != 0 || !ask(c, "--version", &version)) {
        text_free(&version);
        return false;
    }
    const char *release = strstr(version.data, "release ");
    snprintf(c->version, sizeof c->version, "nvcc %.*s",
             release ? (int)strcspn(release + 8, "\n") : 7,
             release ? release + 8 : "unknown");
    snprintf(c->arch, sizeof c->arch, "sm_%d", lowest_arch(c));
    text_free(&version);
    return true;
}

static bool find_nvcc(struct compiler *c)
{
    const char *home = getenv("CUDA_HOME");

    if (process_find("nvcc", c->path, sizeof c->path) && try_nvcc(c))
        return true;
    if (home && *home) {
        snprintf(c->path, sizeof c->path, "%.900s/bin/nvcc", home);
        if (try_nvcc(c))
            return true;
    }
    snprintf(c->path, sizeof c->path, "/usr/local/cuda/bin/nvcc");
    return try_nvcc(c);
}

/* `found` tells of a clang that is too old. */
static bool try_clang(const char *name, struct compiler *c, int *found)
{
    struct text version = {0};
    bool ok = process_find(name, c->path, sizeof c->path) &&
              ask(c, "--version", &version) && version.data;

    if (ok) {
        const char *at = strstr(version.data, "clang version ");
        int number = number_after(version.data, "clang version ");
        ok = at && number >= OLDEST_CLANG;
        *found = number > *found ? number : *found;
        if (ok)
            snprintf(c->version, sizeof c->version, "clang %.*s",
                     (int)strcspn(at + 14, " \n("), at + 14);
    }
    text_free(&version);
    c->kind = COMPILER_CLANG;
    return ok;
}

static bool find_clang(struct compiler *c, int *found)
{
    char name[16];

    if (try_clang("clang", c, found))
        return true;
    for (int v = OLDEST_CLANG; v <= NEWEST_CLANG; v++) {
        snprintf(name, sizeof name, "clang-%d", v);
        if (try_clang(name, c, found))
            return true;
    }
    return false;
}

bool compiler_find(const char *cache, const char *choice, struct compiler *c,
                   struct error *e)
{
    const char *variable = getenv("COMPILER");
    int old_clang = -1;

    *c = (struct compiler){.cache = cache};
    if (!choice || !*choice)
        choice = variable && *variable ? variable : NULL;
    if (choice && strcmp(choice, "nvcc") != 0 && strcmp(choice, "clang") != 0)
        return error_set(e, "compiler '%.40s': it must be nvcc or clang",
                         choice);
    if ((!choice || strcmp(choice, "nvcc") == 0) && find_nvcc(c))
        return true;
    if ((!choice || strcmp(choice, "clang") == 0) && find_clang(c, &old_clang))
        return true;
    if (choice && strcmp(choice, "nvcc") == 0)
        return error_set(e, "no nvcc in PATH, CUDA_HOME or /usr/local/cuda; "
                            "install the CUDA Toolkit, or use "
                            "COMPILER=clang");
    if (old_clang >= 0)
        return error_set(e,
                         "clang %d is too old for CUDA without a toolkit: "
                         "%d is the oldest that works; on Debian and "
                         "Ubuntu: apt-get install clang",
                         old_clang, OLDEST_CLANG);
    return error_set(e,
                     "no compiler for CUDA kernels: there is no %s; on "
                     "Debian and Ubuntu: apt-get install clang",
                     choice ? "clang" : "nvcc and no clang");
}
