/* Finding the kit's own folders.  See home.h. */
#include "lab/home.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool join(char *to, size_t size, const char *a, const char *b)
{
    int length = snprintf(to, size, "%s%s", a, b);
    return length >= 0 && (size_t)length < size;
}

static bool is_root(const char *folder)
{
    char path[PATH_MAX];
    return join(path, sizeof path, folder, "/common/device/lab.cuh") &&
           access(path, R_OK) == 0;
}

/* Cuts the last part off a path; false at the end. */
static bool go_up(char *path)
{
    char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return false;
    *slash = '\0';
    return true;
}

static bool find_root(struct home *home, struct error *e)
{
    const char *given = getenv("LAB_HOME");
    char path[PATH_MAX];

    if (given && *given) {
        if (!is_root(given) || !join(home->root, sizeof home->root, given, ""))
            return error_set(
                e, "LAB_HOME=%s: there is no common/device/lab.cuh", given);
        return true;
    }
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length > 0) {
        path[length] = '\0';
        while (go_up(path))
            if (is_root(path))
                return join(home->root, sizeof home->root, path, "") ||
                       error_set(e, "the path of the kit is too long");
    }
    return error_set(e, "cannot find the kit's folder: set LAB_HOME to the "
                        "checkout");
}

bool make_folders(const char *path)
{
    char part[PATH_MAX];
    struct stat info;

    if (!join(part, sizeof part, path, ""))
        return false;
    for (char *p = part + 1; *p; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        mkdir(part, 0777);
        *p = '/';
    }
    mkdir(part, 0777);
    return stat(part, &info) == 0 && S_ISDIR(info.st_mode);
}

static bool use_folder(char *to, size_t size, const char *base,
                       const char *rest)
{
    if (base && *base && join(to, size, base, rest) && make_folders(to) &&
        access(to, W_OK) == 0)
        return true;
    *to = '\0';
    return false;
}

bool home_find(struct home *home, struct error *e)
{
    *home = (struct home){0};
    if (!find_root(home, e))
        return false;
    use_folder(home->state, sizeof home->state, home->root, "/build");
    /* A checkout that cannot be written keeps its PTX with the user. */
    if (!use_folder(home->cache, sizeof home->cache, home->root,
                    "/build/ptx") &&
        !use_folder(home->cache, sizeof home->cache, getenv("XDG_CACHE_HOME"),
                    "/cuda-reduction-labs/ptx"))
        use_folder(home->cache, sizeof home->cache, getenv("HOME"),
                   "/.cache/cuda-reduction-labs/ptx");
    return true;
}

bool home_kernel(const struct home *home, const char *from, const char *stage,
                 char *path, size_t size, struct error *e)
{
    int length;

    if (strcmp(from, "skeletons") == 0)
        length = snprintf(path, size, "%s/grading/skeletons/%s.cu", home->root,
                          stage);
    else if (strcmp(from, "labs") == 0 || strcmp(from, "solutions") == 0)
        length =
            snprintf(path, size, "%s/%s/%s/kernel.cu", home->root, from, stage);
    else
        length = snprintf(path, size, "%s/%s/kernel.cu", from, stage);
    if (length < 0 || (size_t)length >= size)
        return error_set(e, "the path of %s in %s is too long", stage, from);
    return true;
}
