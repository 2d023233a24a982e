/* FILE.cu -> PTX text.  See compile.h.
 *
 * The compiler writes to a file of ours that is removed afterwards, whatever
 * happens; what goes to the cache is written beside it and renamed, so that
 * two runs at once or a Ctrl-C never leave half a file there. */
#include "lab/compile.h"
#include "base/arena.h"
#include "lab/process.h"
#include "lab/shorten.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

static const double LIMIT_S = 60;
enum { SHOWN_ERRORS = 3 };

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the source ------------------------------------------------------------ */

static bool is_ptx(const char *path)
{
    size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".ptx") == 0;
}

/* One clear message for what is no text. */
static enum outcome read_source(const char *path, struct text *source,
                                struct error *e)
{
    const size_t limit = 64u << 20;

    if (!text_read_file(source, path, limit, e)) {
        if (source->length <= limit)
            return OUTCOME_CANNOT;
        error_set(e, "%s is larger than 64 MiB: that is no kernel", path);
        return OUTCOME_FAILED;
    }
    if (strspn(source->data, " \t\r\n") == source->length) {
        error_set(e, "%s is empty", path);
        return OUTCOME_FAILED;
    }
    if (memchr(source->data, '\0', source->length)) {
        error_set(e,
                  "%s is a binary file; a kernel is CUDA C (.cu) or PTX "
                  "text (.ptx)",
                  path);
        return OUTCOME_FAILED;
    }
    return OUTCOME_OK;
}

/* ---- running the compiler --------------------------------------------------- */

struct command {
    char *argv[40];
    int argc;
    char include[PATH_MAX], header[PATH_MAX];
};

static void push(struct command *c, const char *argument)
{
    c->argv[c->argc++] = (char *)argument;
    c->argv[c->argc] = NULL;
}

static void push_all(struct command *c, const char *const *arguments)
{
    while (*arguments)
        push(c, *arguments++);
}

/* Everything but the files; common/device/lab.cuh explains clang's. */
static void command_flags(struct command *c, const struct compiler *compiler,
                          const struct home *home)
{
    static const char *const nvcc[] = {"-ptx", "-O3", "-lineinfo",
                                       "--expt-relaxed-constexpr", NULL};
    static const char *const clang[] = {
        "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_80", "-S",
        "-O3", "-gline-tables-only", "-ffp-contract=fast", "-nocudainc",
        "-nocudalib", "-nostdinc", "-Xclang", "-target-feature", "-Xclang",
        "+ptx70",
        /* Merged copies of a statement
                                         * would lose its line. */
        "-mllvm", "-sink-common-insts=0", "-Wno-unknown-cuda-version",
        "-fno-color-diagnostics", "-Wall", "-Wextra", NULL};
    push(c, compiler->path);
    if (compiler->kind == COMPILER_NVCC) {
        push_all(c, nvcc);
        push(c, "-arch");
        push(c, compiler->arch);
        push(c, "-x");
        push(c, "cu");
        return;
    }
    push_all(c, clang);
    snprintf(c->include, sizeof c->include, "%s/common/device/include",
             home->root);
    snprintf(c->header, sizeof c->header, "%s/common/device/lab.cuh",
             home->root);
    push(c, "-I");
    push(c, c->include);
    push(c, "-include");
    push(c, c->header);
}

/* A place for the compiler's output: in the cache, else in a new folder of
 * ours below $TMPDIR (`folder`, to be removed). */
static bool output_path(const struct home *home, char *folder, char *path,
                        size_t size, struct error *e)
{
    const char *base = home->cache;

    *folder = '\0';
    if (!*base) {
        const char *temporary = getenv("TMPDIR");
        snprintf(folder, size, "%.900s/lab-XXXXXX",
                 temporary && *temporary ? temporary : "/tmp");
        if (!mkdtemp(folder))
            return error_set(e,
                             "cannot make a folder for the compiled "
                             "kernel: %s: %s",
                             folder, strerror(errno));
        base = folder;
    }
    snprintf(path, size, "%.1000s/kernel.tmp-%ld", base, (long)getpid());
    return true;
}

/* Compilers write to the folder for temporary files, and say many things when
 * they cannot. */
static bool is_disk_full(void)
{
    const char *folder = getenv("TMPDIR");
    struct statvfs info;

    return statvfs(folder && *folder ? folder : "/tmp", &info) == 0 &&
           info.f_bavail < (64 << 10) / info.f_frsize + 1;
}

static enum outcome compiler_failed(const struct compiler *compiler,
                                    const struct compile_request *request,
                                    const struct process_result *r,
                                    struct error *e)
{
    if (r->is_cancelled) {
        error_set(e, "stopped while compiling %s", request->source);
        return OUTCOME_CANNOT;
    }
    if (r->is_timed_out) {
        error_set(e, "%s took more than %.0f s for %s: stopped",
                  compiler->version, LIMIT_S, request->source);
        return OUTCOME_FAILED;
    }
    const char *said = r->err.length ? r->err.data : r->out.data;
    if ((said && strstr(said, "No space left on device")) || is_disk_full()) {
        error_set(e, "the disk is full: no space to compile %s",
                  request->source);
        return OUTCOME_CANNOT;
    }
    if (said && compile_shorten(said, "error", SHOWN_ERRORS, e->text,
                                sizeof e->text) > 0)
        return OUTCOME_FAILED;
    error_set(e, "%s failed on %s (exit %d): %.600s", compiler->path,
              request->source, r->status, said ? said : "it said nothing");
    return OUTCOME_CANNOT;
}

/* nvcc hands file names to a shell, between double quotes. */
static bool is_safe_name(const char *path, struct error *e)
{
    const char *bad = strpbrk(path, "$`\"\\\n");

    if (!bad)
        return true;
    return error_set(e,
                     "%s: nvcc cannot take a name with the character %s; "
                     "rename the file, or use --compiler clang",
                     path, *bad == '\n' ? "newline" : (char[]){*bad, '\0'});
}

/* Compiles into `out`; the compiler's warnings, shortened, into `warnings`. */
static enum outcome run_compiler(const struct compiler *compiler,
                                 const struct compile_request *request,
                                 struct text *out, struct text *warnings,
                                 struct error *e)
{
    struct command command = {0};
    char folder[PATH_MAX], path[PATH_MAX], shown[2048];
    struct process_result r;
    enum outcome outcome = OUTCOME_CANNOT;

    if (compiler->kind == COMPILER_NVCC && !is_safe_name(request->source, e))
        return OUTCOME_CANNOT;
    command_flags(&command, compiler, request->home);
    if (!output_path(request->home, folder, path, sizeof path, e))
        return OUTCOME_CANNOT;
    push(&command, request->source);
    push(&command, "-o");
    push(&command, path);
    if (process_run(command.argv, LIMIT_S, request->cancel, &r, e)) {
        if (r.status != 0)
            outcome = compiler_failed(compiler, request, &r, e);
        else if (text_read_file(out, path, (size_t)1 << 30, e))
            outcome = OUTCOME_OK;
        if (outcome == OUTCOME_OK && r.err.length &&
            compile_shorten(r.err.data, "warning", SHOWN_ERRORS, shown,
                            sizeof shown) > 0)
            text_puts(warnings, shown);
        process_result_free(&r);
    }
    unlink(path);
    if (*folder)
        rmdir(folder);
    return outcome;
}

/* ---- the cache -------------------------------------------------------------- */

static bool cache_path(const struct home *home, const char *key,
                       const char *suffix, char *path, size_t size)
{
    snprintf(path, size, "%s/%s.%s", home->cache, key, suffix);
    return *home->cache != '\0';
}

static bool cache_get(const struct home *home, const char *key,
                      struct compiled *c)
{
    char path[PATH_MAX];
    struct text ptx = {0}, warnings = {0};
    struct error ignored;

    if (!cache_path(home, key, "ptx", path, sizeof path) ||
        access(path, R_OK) != 0 ||
        !text_read_file(&ptx, path, (size_t)1 << 30, &ignored) ||
        ptx.length == 0) {
        text_free(&ptx);
        return false;
    }
    cache_path(home, key, "warnings", path, sizeof path);
    if (access(path, R_OK) == 0 &&
        text_read_file(&warnings, path, 1 << 20, &ignored) && warnings.length)
        c->warnings = text_take(&warnings);
    text_free(&warnings);
    c->length = ptx.length;
    c->ptx = text_take(&ptx);
    c->is_cached = true;
    return true;
}

/* A cache that cannot be written is no reason to stop. */
static void cache_put(const struct home *home, const char *key,
                      const struct compiled *c)
{
    char path[PATH_MAX];
    struct error ignored;

    if (c->warnings && cache_path(home, key, "warnings", path, sizeof path))
        text_write_file(path, c->warnings, strlen(c->warnings), &ignored);
    if (cache_path(home, key, "ptx", path, sizeof path))
        text_write_file(path, c->ptx, c->length, &ignored);
}

static enum outcome compile_cu(const struct compile_request *request,
                               const struct text *source, struct compiled *c,
                               struct error *e)
{
    struct compiler compiler;
    struct command flags = {0};
    struct text ptx = {0}, warnings = {0};
    char key[COMPILE_KEY];

    if (!compiler_find(request->home->cache, request->compiler, &compiler, e))
        return OUTCOME_CANNOT;
    snprintf(c->compiler, sizeof c->compiler, "%s", compiler.version);
    command_flags(&flags, &compiler, request->home);
    compile_key(request->home, &compiler, flags.argv, request->source, source,
                key);
    if (cache_get(request->home, key, c))
        return OUTCOME_OK;
    enum outcome outcome = run_compiler(&compiler, request, &ptx, &warnings, e);
    if (outcome == OUTCOME_OK) {
        c->length = ptx.length;
        c->ptx = text_take(&ptx);
        if (warnings.length)
            c->warnings = text_take(&warnings);
        cache_put(request->home, key, c);
    }
    text_free(&ptx);
    text_free(&warnings);
    return outcome;
}

enum outcome compile_kernel(const struct compile_request *request,
                            struct compiled *c, struct error *e)
{
    struct text source = {0};
    double start = now_s();

    *c = (struct compiled){0};
    enum outcome outcome = read_source(request->source, &source, e);
    if (outcome == OUTCOME_OK && is_ptx(request->source)) {
        c->length = source.length;
        c->ptx = text_take(&source);
    } else if (outcome == OUTCOME_OK) {
        outcome = compile_cu(request, &source, c, e);
    }
    text_free(&source);
    c->wall_s = now_s() - start;
    return outcome;
}

void compiled_free(struct compiled *c)
{
    free(c->ptx);
    free(c->warnings);
    *c = (struct compiled){0};
}
