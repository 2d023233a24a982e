/* Writing JSON through jansson.  See json.h.
 *
 * The object is built as jansson's tree and printed at the end: an object of
 * ours is small, and half an object never reaches the reader. */
#include "base/json.h"

#include <errno.h>
#include <string.h>

#ifndef HAVE_JANSSON
#define HAVE_JANSSON __has_include(<jansson.h>)
#endif

#if HAVE_JANSSON

#include "base/arena.h"
#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

enum { DEPTH = 16 };
struct json {
    json_t *open[DEPTH]; /* open[0] is the top */
    int depth;           /* how many are open below the top */
};

bool json_available(struct error *e)
{
    (void)e;
    return true;
}

struct json *json_new(void)
{
    struct json *j = checked_alloc(sizeof *j);
    j->open[0] = json_object();
    return j;
}

/* Gives `value` to what was opened last. */
static void add(struct json *j, const char *key, json_t *value)
{
    json_t *to = j->open[j->depth];
    int failed;

    if (json_is_array(to))
        failed = json_array_append_new(to, value);
    else
        failed = json_object_set_new(to, key, value);
    assert(!failed);
    (void)failed;
}

static void open_value(struct json *j, const char *key, json_t *value)
{
    add(j, key, value);
    assert(j->depth + 1 < DEPTH);
    j->open[++j->depth] = value;
}

void json_open_object(struct json *j, const char *key)
{
    open_value(j, key, json_object());
}

void json_open_array(struct json *j, const char *key)
{
    open_value(j, key, json_array());
}

void json_close(struct json *j)
{
    assert(j->depth > 0);
    j->depth--;
}

void json_add_text(struct json *j, const char *key, const char *text)
{
    json_t *value = json_string(text);

    if (!value) { /* not UTF-8: a kernel may print any bytes */
        size_t length = strlen(text);
        char *plain = checked_alloc(length + 1);
        for (size_t i = 0; i < length; i++)
            plain[i] = (unsigned char)text[i] < 128 ? text[i] : '?';
        value = json_string(plain);
        free(plain);
    }
    add(j, key, value);
}

void json_add_bool(struct json *j, const char *key, bool value)
{
    add(j, key, json_boolean(value));
}

void json_add_int(struct json *j, const char *key, int64_t value)
{
    add(j, key, json_integer(value));
}

void json_add_uint(struct json *j, const char *key, uint64_t value)
{
    char digits[24];

    if (value <= INT64_MAX) {
        add(j, key, json_integer((json_int_t)value));
        return;
    }
    snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    add(j, key, json_string(digits)); /* jansson's integers end at 2^63 */
}

void json_add_real(struct json *j, const char *key, double value)
{
    if (isnan(value))
        json_add_text(j, key, "nan");
    else if (isinf(value))
        json_add_text(j, key, value > 0 ? "inf" : "-inf");
    else
        add(j, key, json_real(value));
}

bool json_print(const struct json *j, FILE *out, struct error *e)
{
    assert(j->depth == 0);
    /* 17 digits, jansson's default, read back exactly. */
    errno = 0;
    if (json_dumpf(j->open[0], out, JSON_INDENT(2)) == 0 &&
        fputc('\n', out) != EOF && fflush(out) == 0)
        return true;
    return error_set(e, "cannot write the JSON: %s",
                     errno ? strerror(errno) : "the output took no more");
}

static int pack_bytes(const char *bytes, size_t length, void *to)
{
    struct text *text = to;
    for (size_t from = 0; from < length;) {
        const char *at = memchr(bytes + from, '<', length - from);
        size_t end = at ? (size_t)(at - bytes) : length;
        text_add(text, bytes + from, end - from);
        if (at)
            text_puts(text, "\\u003c"); /* a '<' only stands inside a string */
        from = end + (at != NULL);
    }
    return 0;
}

void json_embed(const struct json *j, struct text *to)
{
    assert(j->depth == 0);
    json_dump_callback(j->open[0], pack_bytes, to,
                       JSON_COMPACT | JSON_REAL_PRECISION(9));
}

void json_free(struct json *j)
{
    if (j)
        json_decref(j->open[0]);
    free(j);
}

#else

bool json_available(struct error *e)
{
    return error_set(e, "this build has no JSON output: install "
                        "libjansson-dev, then make clean and build again");
}

/* Never called, see json.h; they are here so that the program links. */
struct json *json_new(void)
{
    return NULL;
}
void json_open_object(struct json *j, const char *key)
{
    (void)j, (void)key;
}
void json_open_array(struct json *j, const char *key)
{
    (void)j, (void)key;
}
void json_close(struct json *j)
{
    (void)j;
}
void json_add_text(struct json *j, const char *key, const char *text)
{
    (void)j, (void)key, (void)text;
}
void json_add_bool(struct json *j, const char *key, bool value)
{
    (void)j, (void)key, (void)value;
}
void json_add_int(struct json *j, const char *key, int64_t value)
{
    (void)j, (void)key, (void)value;
}
void json_add_uint(struct json *j, const char *key, uint64_t value)
{
    (void)j, (void)key, (void)value;
}
void json_add_real(struct json *j, const char *key, double value)
{
    (void)j, (void)key, (void)value;
}
bool json_print(const struct json *j, FILE *out, struct error *e)
{
    (void)j, (void)out;
    return json_available(e);
}
void json_embed(const struct json *j, struct text *to)
{
    (void)j, (void)to;
}
void json_free(struct json *j)
{
    (void)j;
}

#endif
