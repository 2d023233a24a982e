/* Reads the `// launch:`, `// data:` and `// expect:` comments of a PTX test.
 * Comes in: the text of the file.  Goes out: a list of cases. */
#include "tests/support/ptx_case.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cursor {
    const char *at;
    const char *file;
    int line;
    struct error *error;
};

static bool complain(const struct cursor *c, const char *what)
{
    struct place place = {c->file, c->line, 0, NULL};
    return error_at(c->error, place, "%s", what);
}

static void skip_spaces(struct cursor *c)
{
    while (*c->at == ' ' || *c->at == '\t')
        c->at++;
}

/* The next word of letters, digits and the usual signs of a name. */
static bool word(struct cursor *c, char *out, size_t size)
{
    skip_spaces(c);
    size_t n = 0;
    while (isalnum((unsigned char)*c->at) || strchr("_.$%|", *c->at)) {
        if (*c->at == '\0' || n + 1 >= size)
            break;
        out[n++] = *c->at++;
    }
    out[n] = '\0';
    return n > 0;
}

static void rest_of_line(struct cursor *c, char *out, size_t size)
{
    skip_spaces(c);
    size_t n = strcspn(c->at, "\n");
    size_t kept = n < size ? n : size - 1;
    memcpy(out, c->at, kept);
    while (kept > 0 && isspace((unsigned char)out[kept - 1]))
        kept--;
    out[kept] = '\0';
    c->at += n;
}

static bool quoted(struct cursor *c, char *out, size_t size)
{
    skip_spaces(c);
    if (*c->at++ != '"')
        return complain(c, "a text in \" \" must come here");
    size_t n = 0;
    for (; *c->at && *c->at != '"' && *c->at != '\n'; c->at++) {
        char next = *c->at;
        if (next == '\\' && c->at[1])
            next = *++c->at == 'n' ? '\n' : *c->at;
        if (n + 1 < size)
            out[n++] = next;
    }
    out[n] = '\0';
    return *c->at++ == '"' || complain(c, "the text has no closing \"");
}

static void three(const char *text, uint32_t out[3])
{
    out[0] = out[1] = out[2] = 1;
    for (int k = 0; k < 3 && *text; k++) {
        char *end;
        out[k] = (uint32_t)strtoul(text, &end, 0);
        text = *end ? end + 1 : end;
    }
}

static bool launch_option(struct ptx_case *p, const char *key,
                          const char *value)
{
    struct launch *l = &p->launch;
    unsigned long number = strtoul(value, NULL, 0);
    if (strcmp(key, "grid") == 0)
        three(value, l->grid);
    else if (strcmp(key, "block") == 0)
        three(value, l->block);
    else if (strcmp(key, "shared") == 0)
        l->dynamic_shared = (uint32_t)number;
    else if (strcmp(key, "seed") == 0)
        l->seed = number;
    else if (strcmp(key, "budget") == 0)
        l->budget = number;
    else if (strcmp(key, "resident") == 0)
        l->resident = (uint32_t)number;
    else if (strcmp(key, "repeat") == 0)
        p->repeat = (int)number;
    else if (strcmp(key, "order") == 0)
        l->order = *value == 'a'   ? ORDER_ASCENDING
                   : *value == 'd' ? ORDER_DESCENDING
                                   : ORDER_RANDOM;
    else
        return false;
    return true;
}

/* launch: KERNEL grid=2 block=32x2 shared=64 order=random */
static bool read_launch(struct cursor *c, struct ptx_cases *cases)
{
    if (cases->count == CASE_MAX)
        return complain(c, "too many launches in one file");
    struct ptx_case *p = &cases->list[cases->count++];
    p->line = c->line;
    p->repeat = 1;
    p->launch.grid[0] = p->launch.grid[1] = p->launch.grid[2] = 1;
    p->launch.block[0] = 32;
    p->launch.block[1] = p->launch.block[2] = 1;
    p->launch.budget = 1000000;
    word(c, p->kernel, sizeof p->kernel);
    char key[32], value[64];
    while (word(c, key, sizeof key)) {
        bool good = *c->at == '=' && c->at++ && word(c, value, sizeof value);
        if (!good || !launch_option(p, key, value))
            return complain(c, "unknown launch option");
    }
    return true;
}

/* data: NAME TYPE COUNT [= values]   input: the same, read-only
 * value: TYPE VALUE                  a parameter that is no buffer */
static bool read_data(struct cursor *c, struct ptx_case *p, const char *kind)
{
    if (p->data_count == 16)
        return complain(c, "too many parameters");
    struct case_data *d = &p->data[p->data_count++];
    char type[8], count[16];
    d->is_input = strcmp(kind, "input") == 0;
    d->count = 1;
    if (strcmp(kind, "value") != 0 && !word(c, d->name, sizeof d->name))
        return complain(c, "a name must come here");
    if (!word(c, type, sizeof type) || !(d->type = value_type_find(type)))
        return complain(c, "a type such as u32 must come here");
    if (*d->name) {
        if (!word(c, count, sizeof count))
            return complain(c, "the number of elements must come here");
        d->count = strtoll(count, NULL, 0);
        skip_spaces(c);
        if (*c->at == '=')
            c->at++;
    }
    rest_of_line(c, d->values, sizeof d->values);
    return true;
}

/* NAME = values   NAME[k] = value   NAME[k..m] = expression of i */
static bool expect_values(struct cursor *c, struct case_expect *x)
{
    strcpy(x->what, "values");
    x->to = -1;
    skip_spaces(c);
    if (*c->at == '[') {
        char *end;
        x->from = x->to = strtoll(c->at + 1, &end, 0);
        if (end[0] == '.' && end[1] == '.')
            x->to = strtoll(end + 2, &end, 0);
        if (*end++ != ']')
            return complain(c, "the index needs a ]");
        c->at = end;
        skip_spaces(c);
    }
    if (*c->at++ != '=')
        return complain(c, "a = must come here");
    rest_of_line(c, x->text, sizeof x->text);
    return true;
}

static bool read_expect(struct cursor *c, struct ptx_case *p)
{
    if (p->expect_count == CASE_ITEMS)
        return complain(c, "too many expectations for one launch");
    struct case_expect *x = &p->expect[p->expect_count++];
    char key[32], number[16];
    x->line = c->line;
    word(c, key, sizeof key);
    if (strcmp(key, "error") == 0 || strcmp(key, "output") == 0) {
        strcpy(x->what, key);
        if (!quoted(c, x->text, sizeof x->text))
            return false;
        if (word(c, key, sizeof key) && strcmp(key, "line") == 0 &&
            word(c, number, sizeof number))
            x->error_line = atoi(number);
        return true;
    }
    if (strcmp(key, "stop") == 0) {
        strcpy(x->what, key);
        word(c, x->name, sizeof x->name);
        skip_spaces(c);
        return *c->at != '"' || quoted(c, x->text, sizeof x->text);
    }
    if (strcmp(key, "events") == 0) {
        strcpy(x->what, key);
        word(c, x->name, sizeof x->name);
        rest_of_line(c, x->text, sizeof x->text);
        return true;
    }
    strcpy(x->name, key);
    return expect_values(c, x);
}

static bool read_comment(struct cursor *c, struct ptx_cases *cases)
{
    char kind[16];
    const char *start = c->at;
    if (!word(c, kind, sizeof kind) || *c->at++ != ':') {
        c->at = start;
        return true; /* an ordinary comment */
    }
    if (strcmp(kind, "launch") == 0)
        return read_launch(c, cases);
    bool is_expect = strcmp(kind, "expect") == 0;
    bool is_data = strcmp(kind, "data") == 0 || strcmp(kind, "input") == 0 ||
                   strcmp(kind, "value") == 0;
    if (!is_expect && !is_data)
        return true;
    if (cases->count == 0) { /* a file that must not even load */
        cases->list[0] = (struct ptx_case){.line = c->line, .repeat = 1};
        cases->count = 1;
    }
    struct ptx_case *p = &cases->list[cases->count - 1];
    return is_expect ? read_expect(c, p) : read_data(c, p, kind);
}

bool ptx_cases_read(struct ptx_cases *cases, const char *file, const char *text,
                    struct error *e)
{
    struct cursor c = {text, file, 1, e};
    memset(cases, 0, sizeof *cases);
    while (*c.at) {
        skip_spaces(&c);
        if (c.at[0] == '/' && c.at[1] == '/') {
            c.at += 2;
            if (!read_comment(&c, cases))
                return false;
        }
        c.at += strcspn(c.at, "\n");
        c.at += *c.at == '\n';
        c.line++;
    }
    return true;
}

bool case_value(const char *values, int64_t k, const struct value_type *type,
                uint64_t *bits)
{
    char item[128];
    if (!strchr(values, ','))
        return value_parse(values, k, type, bits);
    for (int64_t skip = k; skip > 0 && values; skip--) {
        values = strchr(values, ',');
        values = values ? values + 1 : NULL;
    }
    if (!values)
        return false;
    size_t n = strcspn(values, ",");
    if (n >= sizeof item)
        return false;
    memcpy(item, values, n);
    item[n] = '\0';
    while (n > 0 && item[n - 1] == ' ')
        item[--n] = '\0';
    return value_parse(item, k, type, bits);
}

/* ---- the data of a launch -------------------------------------------------- */
static bool fill(struct buffer *b, const struct case_data *d)
{
    for (int64_t k = 0; *d->values && k < d->count; k++) {
        uint64_t bits;
        if (!case_value(d->values, k, d->type, &bits))
            return false;
        memcpy(b->data + k * d->type->bytes, &bits, d->type->bytes);
    }
    return true;
}

bool case_params(const struct ptx_case *c, const struct ptx_function *kernel,
                 struct memory *memory, struct buffer *buffers[16],
                 uint8_t *bytes, size_t *length, struct error *e)
{
    size_t at = 0;
    if (c->data_count != kernel->param_count)
        return error_set(e, "the kernel has %d parameters, the test gives %d",
                         kernel->param_count, c->data_count);
    for (int k = 0; k < kernel->param_count; k++) {
        const struct ptx_variable *p = kernel->params[k];
        const struct case_data *d = &c->data[k];
        uint64_t bits = 0;
        at = (at + p->align - 1) / p->align * p->align;
        if (*d->name) {
            struct buffer *b =
                memory_add(memory, d->name, d->count * d->type->bytes,
                           d->is_input ? BUFFER_INPUT : BUFFER_DATA, e);
            if (!b)
                return false;
            if (!fill(b, d))
                return error_set(e, "cannot read the values of %s", d->name);
            buffers[k] = b;
            bits = b->address;
        } else if (!value_parse(d->values, 0, d->type, &bits)) {
            return error_set(e, "cannot read the value '%s'", d->values);
        }
        memcpy(bytes + at, &bits, p->bytes < 8 ? p->bytes : 8);
        at += p->bytes;
    }
    *length = at;
    return true;
}
