/* A compiler's words made short, and the key of the cache.  See shorten.h. */
#define _GNU_SOURCE /* memmem */
#include "lab/shorten.h"

#include <dirent.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- messages ---------------------------------------------------------------- */

/* clang: "f.cu:4:5: error: ...", nvcc: "f.cu(4): error: ..." and
 * "f.cu(4): warning #177-D: ...".  Notes and remarks start, too, so that they
 * end the message before them. */
static bool starts_message(const char *line, size_t length, const char *kind)
{
    char pattern[32];
    static const char *const after[] = {": %s:", ": %s #", ": fatal %s:"};

    for (int i = 0; i < 3; i++) {
        snprintf(pattern, sizeof pattern, after[i], kind);
        const char *at = memmem(line, length, pattern, strlen(pattern));
        if (at && line[0] != ' ')
            return true;
    }
    return false;
}

static bool ends_message(const char *line, size_t length)
{
    static const char *const kinds[] = {"error", "warning", "note"};
    static const char *const words[] = {
        "In file included",      "Remark:",     " generated when compiling",
        " generated.",           "detected in", "error limit",
        "compilation terminated"};

    for (int i = 0; i < 3; i++)
        if (starts_message(line, length, kinds[i]))
            return true;
    for (int i = 0; i < 7; i++)
        if (memmem(line, length, words[i], strlen(words[i])))
            return true;
    return false;
}

static bool is_blank(const char *line, size_t length)
{
    return strspn(line, " \t\r") >= length;
}

int compile_shorten(const char *text, const char *kind, int most, char *out,
                    size_t size)
{
    int found = 0;
    bool keep = false;
    size_t used = 0;

    out[0] = '\0';
    while (*text) {
        size_t length = strcspn(text, "\n");
        if (starts_message(text, length, kind))
            keep = ++found <= most;
        else if (ends_message(text, length))
            keep = false;
        if (keep && !is_blank(text, length) && used + length + 2 < size) {
            if (used)
                out[used++] = '\n';
            memcpy(out + used, text, length);
            used += length;
            out[used] = '\0';
        }
        text += length + (text[length] == '\n');
    }
    if (found > most && used + 40 < size)
        snprintf(out + used, size - used, "\n(%d more)", found - most);
    return found;
}

/* ---- the key ------------------------------------------------------------------ */

struct hash {
    uint64_t a, b; /* FNV-1a from two starting points */
};

static void hash_bytes(struct hash *h, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        h->a = (h->a ^ (unsigned char)bytes[i]) * 0x100000001b3u;
        h->b = (h->b ^ (unsigned char)bytes[i]) * 0x9fb21c651e98df25u;
    }
    /* The length, so that "ab" "c" and "a" "bc" differ. */
    h->a = (h->a ^ length) * 0x100000001b3u;
    h->b = (h->b ^ length) * 0x9fb21c651e98df25u;
}

static void hash_text(struct hash *h, const char *text)
{
    hash_bytes(h, text, strlen(text));
}

static bool hash_file(struct hash *h, const char *path, struct text *content)
{
    struct error ignored;

    hash_text(h, path);
    if (!text_read_file(content, path, 64u << 20, &ignored))
        return false;
    hash_bytes(h, content->data, content->length);
    return true;
}

/* Our device header is several files: all of the folder, in any order, so
 * their hashes are added. */
static void hash_folder(struct hash *h, const char *folder)
{
    DIR *dir = opendir(folder);
    struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        char path[PATH_MAX];
        struct stat info;
        struct hash one = {14695981039346656037u, 1};
        struct text content = {0};

        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (entry->d_name[0] == '.' || stat(path, &info) != 0 ||
            !S_ISREG(info.st_mode))
            continue;
        hash_file(&one, path, &content);
        text_free(&content);
        h->a += one.a;
        h->b += one.b;
    }
    if (dir)
        closedir(dir);
}

/* Follows `#include "name"` beside the file, a few levels deep. */
static void hash_includes(struct hash *h, const char *path, const char *source,
                          int depth)
{
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;

    for (const char *p = source; depth > 0 && (p = strstr(p, "#")); p++) {
        const char *q = p + 1 + strspn(p + 1, " \t");
        if (strncmp(q, "include", 7) != 0)
            continue;
        q += 7 + strspn(q + 7, " \t");
        size_t length = *q == '"' ? strcspn(q + 1, "\"\n") : 0;
        char name[PATH_MAX];
        struct text content = {0};

        if (length == 0 || snprintf(name, sizeof name, "%.*s%.*s", folder, path,
                                    (int)length, q + 1) >= PATH_MAX)
            continue;
        if (hash_file(h, name, &content))
            hash_includes(h, name, content.data, depth - 1);
        text_free(&content);
    }
}

void compile_key(const struct home *home, const struct compiler *compiler,
                 char *const flags[], const char *path,
                 const struct text *source, char key[COMPILE_KEY])
{
    struct hash h = {14695981039346656037u, 0xcbf29ce484222326u};
    char folder[PATH_MAX];

    hash_text(&h, compiler->version);
    for (int i = 0; flags[i]; i++)
        hash_text(&h, flags[i]);
    hash_text(&h, path);
    hash_bytes(&h, source->data, source->length);
    hash_includes(&h, path, source->data, 8);
    if (compiler->kind == COMPILER_CLANG) {
        snprintf(folder, sizeof folder, "%s/common/device", home->root);
        hash_folder(&h, folder);
        snprintf(folder, sizeof folder, "%s/common/device/include", home->root);
        hash_folder(&h, folder);
    }
    snprintf(key, COMPILE_KEY, "%016llx%016llx", (unsigned long long)h.a,
             (unsigned long long)h.b);
}
