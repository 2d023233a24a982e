/* Growing strings and whole files.  See text.h. */
#include "base/text.h"
#include "base/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Room for `more` bytes and the \0. */
static void reserve(struct text *t, size_t more)
{
    if (more < t->capacity - t->length)
        return;
    size_t capacity = t->capacity ? t->capacity : 64;
    while (capacity - t->length <= more)
        capacity = capacity > SIZE_MAX / 2 ? SIZE_MAX : capacity * 2;
    t->data = checked_realloc(t->data, capacity);
    t->capacity = capacity;
}

void text_add(struct text *t, const char *bytes, size_t length)
{
    reserve(t, length);
    if (length)
        memcpy(t->data + t->length, bytes, length);
    t->length += length;
    t->data[t->length] = '\0';
}

void text_puts(struct text *t, const char *s)
{
    text_add(t, s, strlen(s));
}

void text_printf(struct text *t, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0)
        return;
    reserve(t, (size_t)length);
    va_start(args, format);
    vsnprintf(t->data + t->length, (size_t)length + 1, format, args);
    va_end(args);
    t->length += (size_t)length;
}

void text_free(struct text *t)
{
    free(t->data);
    *t = (struct text){0};
}

char *text_take(struct text *t)
{
    text_add(t, "", 0);
    char *data = t->data;
    *t = (struct text){0};
    return data;
}

static bool read_all(struct text *t, FILE *file, const char *path, size_t limit,
                     struct error *e)
{
    size_t start = t->length;
    for (;;) {
        reserve(t, 64 * 1024);
        size_t got = fread(t->data + t->length, 1, 64 * 1024, file);
        t->length += got;
        if (t->length - start > limit)
            return error_set(e, "%s is larger than %zu bytes", path, limit);
        if (got == 0)
            break;
    }
    t->data[t->length] = '\0';
    if (ferror(file))
        return error_set(e, "cannot read %s: %s", path, strerror(errno));
    return true;
}

bool text_read_file(struct text *t, const char *path, size_t limit,
                    struct error *e)
{
    struct stat info;
    /* A pipe would be waited for; a directory opens without complaint. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "rb");

    if (!file)
        return error_set(e, "cannot read %s: %s", path, strerror(errno));
    bool ok, is_known = fstat(fd, &info) == 0;
    if (is_known && S_ISDIR(info.st_mode))
        ok = error_set(e, "cannot read %s: it is a directory", path);
    else if (is_known && !S_ISREG(info.st_mode))
        ok = error_set(e, "cannot read %s: it is no regular file", path);
    else
        ok = read_all(t, file, path, limit, e);
    fclose(file);
    return ok;
}

/* Everything must have reached the disk before the old file goes. */
static bool write_all(FILE *file, const char *bytes, size_t length)
{
    bool ok = length == 0 || fwrite(bytes, 1, length, file) == length;
    ok = fflush(file) == 0 && ok;
    return fclose(file) == 0 && ok;
}

bool text_write_file(const char *path, const char *bytes, size_t length,
                     struct error *e)
{
    struct text temporary = {0};
    text_printf(&temporary, "%s.tmp-%ld", path, (long)getpid());

    bool ok = false;
    FILE *file = fopen(temporary.data, "wb");
    if (!file)
        error_set(e, "cannot write %s: %s", path, strerror(errno));
    else if (!write_all(file, bytes, length))
        error_set(e, "cannot write %s: %s", path, strerror(errno));
    else if (rename(temporary.data, path) != 0)
        error_set(e, "cannot write %s: %s", path, strerror(errno));
    else
        ok = true;
    if (!ok && file)
        remove(temporary.data);
    text_free(&temporary);
    return ok;
}
