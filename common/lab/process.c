/* Running another program.  See process.h.
 *
 * posix_spawn, not fork: the simulator may have threads.  Both outputs are
 * read while it runs, so that it never waits for us; the loop wakes up ten
 * times a second to look at the clock and at *cancel. */
#define _GNU_SOURCE /* pipe2, prlimit */
#include "lab/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { OUTPUT_LIMIT = 1 << 20 }; /* a compiler that says more is not heard */

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const rlim_t MEMORY_LIMIT = (rlim_t)4 << 30, FILE_LIMIT = 1 << 30;

/* Standard input empty, outputs into the pipes, signals as usual. */
static int spawn(char *const argv[], int out, int err, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t how;
    sigset_t none, usual;

    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGINT);
    sigaddset(&usual, SIGTERM);
    sigaddset(&usual, SIGPIPE);
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, out, 1);
    posix_spawn_file_actions_adddup2(&files, err, 2);
    posix_spawnattr_init(&how);
    posix_spawnattr_setpgroup(&how, 0);
    posix_spawnattr_setsigmask(&how, &none);
    posix_spawnattr_setsigdefault(&how, &usual);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP |
                                       POSIX_SPAWN_SETSIGMASK |
                                       POSIX_SPAWN_SETSIGDEF);
    int failed = posix_spawn(pid, argv[0], &files, &how, argv, environ);
    posix_spawnattr_destroy(&how);
    posix_spawn_file_actions_destroy(&files);
    return failed;
}

/* So that it ends by itself, without eating up the machine, even if nobody is
 * left to end it.  What it starts inherits them. */
static void set_limits(pid_t pid, double limit_s)
{
    rlim_t seconds = (rlim_t)limit_s + 1;
    const struct rlimit time = {seconds, seconds + 1};
    const struct rlimit memory = {MEMORY_LIMIT, MEMORY_LIMIT};
    const struct rlimit file = {FILE_LIMIT, FILE_LIMIT};
    prlimit(pid, RLIMIT_CPU, &time, NULL);
    prlimit(pid, RLIMIT_DATA, &memory, NULL);
    prlimit(pid, RLIMIT_FSIZE, &file, NULL);
}

/* Reads what is there; false at the end of the pipe. */
static bool drain(int fd, struct text *to)
{
    char bytes[4096];
    ssize_t got = read(fd, bytes, sizeof bytes);

    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    if (got > 0 && to->length < OUTPUT_LIMIT)
        text_add(to, bytes, (size_t)got);
    return got > 0;
}

/* Until both pipes are closed or the child has to be ended. */
static void listen_to(const int pipes[2], double limit_s,
                      const volatile int *cancel, struct process_result *r)
{
    struct pollfd fds[2] = {{pipes[0], POLLIN, 0}, {pipes[1], POLLIN, 0}};
    struct text *texts[2] = {&r->out, &r->err};
    double end = now_s() + limit_s;

    while (fds[0].fd >= 0 || fds[1].fd >= 0) {
        int ready = poll(fds, 2, 100);
        for (int i = 0; ready > 0 && i < 2; i++)
            if (fds[i].revents && !drain(fds[i].fd, texts[i]))
                fds[i].fd = -1;
        r->is_cancelled = cancel && *cancel;
        r->is_timed_out = !r->is_cancelled && now_s() > end;
        if (r->is_cancelled || r->is_timed_out)
            return;
    }
}

static bool run_with_pipes(char *const argv[], const int out[2],
                           const int err[2], double limit_s,
                           const volatile int *cancel, struct process_result *r,
                           struct error *e)
{
    pid_t pid;
    int failed = spawn(argv, out[1], err[1], &pid);
    int status = 0;

    /* Ours of the writing ends must go, or the pipes never end. */
    close(out[1]);
    close(err[1]);
    if (failed)
        return error_set(e, "cannot run %s: %s", argv[0], strerror(failed));
    set_limits(pid, limit_s);
    const int reading[2] = {out[0], err[0]};
    listen_to(reading, limit_s, cancel, r);
    if (r->is_timed_out || r->is_cancelled)
        kill(-pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    r->status =
        WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return true;
}

bool process_run(char *const argv[], double limit_s, const volatile int *cancel,
                 struct process_result *r, struct error *e)
{
    int out[2], err[2];

    *r = (struct process_result){0};
    if (pipe2(out, O_CLOEXEC) != 0)
        return error_set(e, "cannot run %s: %s", argv[0], strerror(errno));
    if (pipe2(err, O_CLOEXEC) != 0) {
        close(out[0]);
        close(out[1]);
        return error_set(e, "cannot run %s: %s", argv[0], strerror(errno));
    }
    bool ok = run_with_pipes(argv, out, err, limit_s, cancel, r, e);
    close(out[0]);
    close(err[0]);
    return ok;
}

void process_result_free(struct process_result *r)
{
    text_free(&r->out);
    text_free(&r->err);
}

bool process_find(const char *name, char *path, size_t size)
{
    const char *folders = getenv("PATH");

    while (folders && *folders) {
        size_t length = strcspn(folders, ":");
        int used = snprintf(path, size, "%.*s/%s", (int)length, folders, name);
        if (length > 0 && used > 0 && (size_t)used < size &&
            access(path, X_OK) == 0)
            return true;
        folders += length + (folders[length] == ':');
    }
    return false;
}
