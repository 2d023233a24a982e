/* From a stage's name or a file to a kernel on a device.  See kernel.h. */
#include "lab/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char WANTED[] =
    "extern \"C\" __global__ void %s(const float *in, float *out, size_t n)";

/* ---- the signature ------------------------------------------------------------ */

/* Does the C++ name `mangled` hold the plain name, with its length in front
 * ("_Z6reducePKfPfm")? */
static bool is_mangled(const char *mangled, const char *name)
{
    char part[160];
    snprintf(part, sizeof part, "%zu%s", strlen(name), name);
    return strncmp(mangled, "_Z", 2) == 0 && strstr(mangled, part);
}

static void add(char *text, size_t size, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

static bool no_such_kernel(const struct ptx_program *program, const char *name,
                           const char *file, struct error *e)
{
    char found[400] = "", wanted[240];
    bool is_cxx = false;

    for (int i = 0; i < program->function_count; i++) {
        const struct ptx_function *f = program->functions[i];
        if (!f->is_entry)
            continue;
        is_cxx = is_cxx || is_mangled(f->name, name);
        add(found, sizeof found, *found ? ", " : "");
        add(found, sizeof found, f->name);
    }
    snprintf(wanted, sizeof wanted, WANTED, name);
    if (is_cxx)
        return error_set(e,
                         "%s: '%s' has a C++ name (%s); put extern \"C\" in "
                         "front of it:\n    %s",
                         file, name, found, wanted);
    if (!*found)
        return error_set(e,
                         "%s: there is no kernel in this file; wanted:\n"
                         "    %s",
                         file, wanted);
    return error_set(e,
                     "%s: there is no kernel '%s'; wanted:\n    %s\n"
                     "found: %s (--kernel NAME chooses another)",
                     file, name, wanted, found);
}

static bool other_parameters(const struct ptx_function *f, const char *file,
                             struct error *e)
{
    char found[200] = "", wanted[240];

    for (int i = 0; i < f->param_count; i++) {
        add(found, sizeof found, i ? ", " : "");
        add(found, sizeof found, ptx_type_name(f->params[i]->type));
        if ((int)f->params[i]->bytes != ptx_type_bytes(f->params[i]->type))
            add(found, sizeof found, "[]");
    }
    snprintf(wanted, sizeof wanted, WANTED, f->name);
    return error_set(e,
                     "%s: '%s' takes other parameters; wanted:\n    %s\n"
                     "In PTX these are three of 64 bits (u64, u64, u64); "
                     "found: (%s)",
                     file, f->name, wanted, *found ? found : "none");
}

const struct ptx_function *kernel_entry(const struct ptx_program *program,
                                        const char *name, const char *file,
                                        struct error *e)
{
    const struct ptx_function *f = ptx_find_function(program, name);

    if (!f || !f->is_entry || !f->has_body) {
        no_such_kernel(program, name, file, e);
        return NULL;
    }
    bool fits = f->param_count == 3;
    for (int i = 0; fits && i < 3; i++)
        fits = f->params[i]->bytes == 8 &&
               ptx_type_bytes(f->params[i]->type) == 8 &&
               ptx_type_kind(f->params[i]->type) != KIND_FLOAT;
    if (!fits) {
        other_parameters(f, file, e);
        return NULL;
    }
    return f;
}

/* ---- the file ------------------------------------------------------------------ */

/* A path below the current folder is shown, and given to the compiler, as
 * people type it. */
static const char *relative(const char *path)
{
    char here[1024];

    if (!getcwd(here, sizeof here))
        return path;
    size_t length = strlen(here);
    if (strncmp(path, here, length) == 0 && path[length] == '/')
        return path + length + 1;
    return path;
}

static enum outcome find_source(const struct kernel_request *request,
                                struct kernel *k, struct error *e)
{
    char path[1024];

    if (stage_is_path(request->target) &&
        strncmp(request->target, "labs/", 5) != 0) {
        snprintf(path, sizeof path, "%s%s",
                 request->target[0] == '-' ? "./" : "", request->target);
    } else if (stage_is_path(request->target) &&
               access(request->target, F_OK) == 0 &&
               strrchr(request->target, '.')) {
        snprintf(path, sizeof path, "%s", request->target);
    } else {
        k->stage = stage_find(request->target, e);
        if (!k->stage ||
            !home_kernel(request->home, request->from ? request->from : "labs",
                         k->stage->name, path, sizeof path, e))
            return OUTCOME_CANNOT;
    }
    snprintf(k->file, sizeof k->file, "%s", relative(path));
    return OUTCOME_OK;
}

/* Lines of PTX are told under a name of their own: kernel.cu -> kernel.ptx. */
static void ptx_name(const char *file, char *name, size_t size)
{
    size_t length = strlen(file);

    if (length > 3 && strcmp(file + length - 3, ".cu") == 0)
        length -= 3;
    else if (length > 4 && strcmp(file + length - 4, ".ptx") == 0)
        length -= 4;
    snprintf(name, size, "%.*s.ptx", (int)length, file);
}

enum outcome kernel_load(const struct kernel_request *request, struct kernel *k,
                         struct error *e)
{
    char name[1040];

    *k = (struct kernel){.device = request->device};
    snprintf(k->name, sizeof k->name, "%s",
             request->name ? request->name : "reduce");
    enum outcome outcome = find_source(request, k, e);
    if (outcome != OUTCOME_OK)
        return outcome;
    const struct compile_request compile = {request->home, k->file,
                                            request->compiler, request->cancel};
    outcome = compile_kernel(&compile, &k->compiled, e);
    if (outcome != OUTCOME_OK)
        return outcome;
    ptx_name(k->file, name, sizeof name);
    k->program = ptx_load(name, k->compiled.ptx, k->compiled.length, e);
    if (!k->program)
        return OUTCOME_CANNOT;
    k->function = kernel_entry(k->program, k->name, k->file, e);
    if (!k->function)
        return OUTCOME_FAILED;
    const struct device_ops *ops = k->device->ops;
    k->module = ops->load(k->device, k->program, e);
    bool ok =
        k->module && (!ops->can_run || ops->can_run(k->module, k->function, e));
    return ok ? OUTCOME_OK : OUTCOME_CANNOT;
}

void kernel_free(struct kernel *k)
{
    if (k->module)
        k->device->ops->unload(k->device, k->module);
    if (k->program)
        ptx_free(k->program);
    compiled_free(&k->compiled);
    *k = (struct kernel){0};
}
