/* lab doctor: every tool, version and device found. */
#include "grading/cmd.h"
#include "lab/process.h"
#include "sim/alu.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static void line(const char *what, const char *found)
{
    printf("  %-18s %s\n", what, found);
}

/* The first line of what the program says about itself that has a digit. */
static void tool(const char *name, const char *option, const char *use)
{
    char path[1024], text[1200];
    char *argv[] = {path, (char *)option, NULL};
    struct process_result r;
    struct error e;

    if (!process_find(name, path, sizeof path)) {
        snprintf(text, sizeof text, "not found (%s)", use);
        line(name, text);
        return;
    }
    snprintf(text, sizeof text, "%s", path);
    if (process_run(argv, 10, NULL, &r, &e)) {
        const char *at = r.out.data ? r.out.data : "";
        size_t length = strcspn(at, "\n");
        while (at[length] && strcspn(at, "0123456789") >= length) {
            at += length + 1;
            length = strcspn(at, "\n");
        }
        if (length)
            snprintf(text, sizeof text, "%.*s", length < 60 ? (int)length : 60,
                     at);
        process_result_free(&r);
    }
    line(name, text);
}

static int compilers(void)
{
    struct compiler c;
    struct error e;
    char text[1300];
    bool any = false;

    puts("kernels are compiled with");
    for (int i = 0; i < 2; i++) {
        const char *name = i == 0 ? "nvcc" : "clang";
        if (compiler_find(NULL, name, &c, &e)) {
            snprintf(text, sizeof text, "%s, %s", c.version, c.path);
            any = true;
        } else {
            snprintf(text, sizeof text, "not found");
        }
        line(name, text);
    }
    if (!any || !compiler_find(NULL, NULL, &c, &e)) {
        report_wrapped(stdout, 2, e.text);
        return OUTCOME_CANNOT;
    }
    line("used", c.version);
    return OUTCOME_OK;
}

static void devices(void)
{
    char text[200];
    struct error e;

    puts("devices");
    for (int i = 0; device_backends[i]; i++) {
        struct device *d = device_backends[i]->open(&e);
        if (d)
            device_backends[i]->describe(d, text, sizeof text);
        else
            snprintf(text, sizeof text, "%.180s", e.text);
        line(device_backends[i]->name, text);
        device_close(d);
    }
}

static void machine(const struct home *home)
{
    struct utsname name;
    struct error e;
    char text[1100];

    puts("this machine");
    if (uname(&name) == 0) {
        snprintf(text, sizeof text, "%s %s, %s", name.sysname, name.release,
                 name.machine);
        line("system", text);
    }
    snprintf(text, sizeof text, "%ld, %s arithmetic",
             sysconf(_SC_NPROCESSORS_ONLN), alu_level());
    line("cores", text);
    snprintf(text, sizeof text, "%.1f GB free",
             1e-9 * (double)host_memory_available());
    line("memory", text);
    line("kit", home->root);
    line("compiled kernels", *home->cache ? home->cache : "not kept");
    line("JSON", json_available(&e) ? "yes" : e.text);
}

int cmd_doctor(struct context *context, const struct options *o)
{
    (void)o;
    int status = compilers();

    devices();
    machine(&context->home);
    puts("other tools");
    tool("make", "--version", "builds the kit");
    tool("cc", "--version", "builds the kit");
    tool("ncu", "--version", "profiles on a GPU");
    tool("compute-sanitizer", "--version", "checks on a GPU");
    return status;
}
