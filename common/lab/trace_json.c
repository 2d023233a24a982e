/* A recorded block as JSON.  See trace_json.h. */
#include "lab/trace_json.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

/* ---- values ---------------------------------------------------------------------*/

enum number_kind { NUMBER_INTEGER, NUMBER_SIGNED, NUMBER_FLOAT };

static uint32_t element_size(const struct trace_record *r)
{
    uint32_t size = (uint32_t)ptx_type_bytes(r->insn->type);
    if (r->kind == EVENT_SHUFFLE || size == 0 || r->size % size)
        size = r->size < 4 ? r->size : 4;
    return size > 8 ? 4 : size;
}

/* Does a word without a type look like a float?  Small whole numbers have no
 * exponent there. */
static bool looks_like_float(const struct trace_record *r, const uint8_t *from)
{
    for (uint32_t m = r->active; m; m &= m - 1) {
        uint32_t word;
        memcpy(&word, from + (size_t)__builtin_ctz(m) * r->size, sizeof word);
        uint32_t exponent = word >> 23 & 0xff;
        if (word != UINT32_MAX && exponent > 64 && exponent < 192)
            return true;
    }
    return false;
}

static enum number_kind kind_of(const struct trace_record *r, uint32_t size,
                                const uint8_t *from)
{
    switch (ptx_type_kind(r->insn->type)) {
    case KIND_FLOAT: return size >= 4 ? NUMBER_FLOAT : NUMBER_INTEGER;
    case KIND_SIGNED: return NUMBER_SIGNED;
    case KIND_UNSIGNED: return NUMBER_INTEGER;
    default:
        return size == 4 && looks_like_float(r, from) ? NUMBER_FLOAT
                                                      : NUMBER_INTEGER;
    }
}

static void add_number(struct json *j, const uint8_t *from, uint32_t size,
                       enum number_kind kind)
{
    uint64_t bits = 0;
    memcpy(&bits, from, size);
    uint64_t all = size == 8 ? UINT64_MAX : (1ull << (8 * size)) - 1;
    if (size >= 4 && (bits == all || (uint32_t)bits == 0xfff0deadu)) {
        json_add_text(j, NULL, "?");
    } else if (kind == NUMBER_FLOAT && size == 8) {
        double wide;
        memcpy(&wide, from, sizeof wide);
        json_add_real(j, NULL, wide);
    } else if (kind == NUMBER_FLOAT) {
        float narrow;
        memcpy(&narrow, from, sizeof narrow);
        json_add_real(j, NULL, (double)narrow);
    } else if (kind == NUMBER_SIGNED && bits >> (8 * size - 1)) {
        json_add_int(j, NULL, (int64_t)(bits | ~all));
    } else {
        json_add_uint(j, NULL, bits);
    }
}

static void add_values(struct json *j, const char *key,
                       const struct trace_record *r, const uint8_t *from)
{
    uint32_t size = element_size(r), parts = r->size / size;
    enum number_kind kind = kind_of(r, size, from);
    json_open_array(j, key);
    for (uint32_t m = r->active; m; m &= m - 1) {
        const uint8_t *lane = from + (size_t)__builtin_ctz(m) * r->size;
        if (parts > 1)
            json_open_array(j, NULL);
        for (uint32_t p = 0; p < parts; p++)
            add_number(j, lane + (size_t)p * size, size, kind);
        if (parts > 1)
            json_close(j);
    }
    json_close(j);
}

/* ---- addresses --------------------------------------------------------------------*/

/* The buffer of an address, or the one nearest below it. */
static int buffer_of(const struct trace *t, uint64_t address)
{
    int found = 0;
    for (int k = 0; k < t->buffer_count; k++)
        if (t->buffers[k].address <= address)
            found = k;
    return found;
}

static void add_addresses(struct json *j, const struct trace *t,
                          const struct trace_record *r)
{
    int first = __builtin_ctz(r->active);
    uint64_t base = 0, step = 0;
    bool is_even = true;
    if (r->space != SPACE_SHARED && r->space != SPACE_LOCAL &&
        t->buffer_count > 0) {
        int b = buffer_of(t, r->address[first]);
        json_add_int(j, "b", b);
        base = t->buffers[b].address;
    }
    uint32_t rest = r->active & (r->active - 1);
    if (rest)
        step = (r->address[__builtin_ctz(rest)] - r->address[first]) /
               (uint64_t)(__builtin_ctz(rest) - first);
    for (uint32_t m = r->active; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        is_even &=
            r->address[i] == r->address[first] + step * (uint64_t)(i - first);
    }
    json_open_array(j, is_even ? "a" : "A");
    if (is_even) {
        json_add_int(j, NULL, (int64_t)(r->address[first] - base));
        json_add_int(j, NULL, (int64_t)step);
    } else {
        for (uint32_t m = r->active; m; m &= m - 1)
            json_add_int(j, NULL,
                         (int64_t)(r->address[__builtin_ctz(m)] - base));
    }
    json_close(j);
}

/* ---- records ------------------------------------------------------------------------*/

static const char *kind_name(enum event_kind kind)
{
    switch (kind) {
    case EVENT_BRANCH:
    case EVENT_RUN: return "branch";
    case EVENT_LOAD: return "load";
    case EVENT_STORE: return "store";
    case EVENT_ATOMIC: return "atomic";
    case EVENT_SHUFFLE: return "shuffle";
    case EVENT_VOTE: return "vote";
    case EVENT_WARP_SYNC: return "sync";
    case EVENT_BARRIER: return "barrier";
    case EVENT_BARRIER_DONE: return "open";
    case EVENT_FENCE: return "fence";
    case EVENT_EXIT: return "exit";
    case EVENT_FAULT: return "fault";
    case EVENT_BAD_SYNC: return "bad";
    case EVENT_TRAP: return "trap";
    case EVENT_STUCK: return "stuck";
    default: return "other";
    }
}

static void add_record(struct json *j, const struct trace *t,
                       const struct trace_record *r)
{
    json_open_object(j, NULL);
    json_add_uint(j, "w", r->warp);
    json_add_uint(j, "m", r->active);
    if (r->times > 1)
        json_add_uint(j, "k", r->times);
    if (r->instructions) {
        json_add_uint(j, "n", r->instructions);
        json_add_uint(j, "t", r->thread_instructions);
    }
    if (r->kind == EVENT_BRANCH)
        json_add_uint(j, "j", r->taken);
    if (r->address && r->active) {
        add_addresses(j, t, r);
        json_add_uint(j, "z", r->size);
        json_add_uint(j, "c", r->cost);
        if (r->space == SPACE_SHARED)
            json_add_uint(j, "l", r->least);
        if (r->kind == EVENT_ATOMIC)
            json_add_uint(j, "q", r->in_queue);
    }
    if (r->source) {
        json_open_array(j, "s");
        for (uint32_t m = r->active; m; m &= m - 1)
            json_add_uint(j, NULL, r->source[__builtin_ctz(m)]);
        json_close(j);
    }
    if (r->value)
        add_values(j, "v", r, r->value);
    if (r->after)
        add_values(j, "x", r, r->after);
    if (r->text)
        json_add_text(j, "text", r->text);
    json_close(j);
}

/* ---- instructions ---------------------------------------------------------------------*/

struct used {
    const char *source;
    const struct trace_record **list; /* one record for each instruction */
    int count;
};

static int use_of(struct used *u, const struct trace_record *r)
{
    for (int k = 0; k < u->count; k++)
        if (u->list[k]->insn == r->insn)
            return k;
    u->list[u->count] = r;
    return u->count++;
}

/* The PTX line, without spaces around and without a comment behind. */
static void add_ptx_line(struct json *j, const struct trace_record *r)
{
    const char *at = r->function->program->text;
    char line[160];
    for (int k = 1; at && k < r->insn->ptx_line; k++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    at = at ? at + strspn(at, " \t") : "";
    size_t length = strcspn(at, "\r\n");
    const char *comment = strstr(at, "//");
    if (comment && comment < at + length)
        length = (size_t)(comment - at);
    while (length > 0 && strchr(" \t", at[length - 1]))
        length--;
    snprintf(line, sizeof line, "%.*s", (int)length, at);
    json_add_text(j, NULL, line);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The line of the file that is shown, or 0. */
static int shown_line(const char *source, const struct trace_record *r)
{
    const struct ptx_program *program = r->function->program;
    const struct ptx_insn *insn = r->insn;
    size_t length = strlen(source);
    if (length > 4 && !strcmp(source + length - 4, ".ptx"))
        return insn->ptx_line;
    if (insn->file >= 0 && insn->file < program->file_count &&
        strcmp(base_name(program->files[insn->file]), base_name(source)) != 0)
        return 0;
    return insn->line;
}

static void add_insns(struct json *j, const struct used *u)
{
    json_open_array(j, "insns");
    for (int k = 0; k < u->count; k++) {
        const struct trace_record *r = u->list[k];
        json_open_array(j, NULL);
        json_add_int(j, NULL, shown_line(u->source, r));
        add_ptx_line(j, r);
        json_close(j);
    }
    json_close(j);
}

static void add_steps(struct json *j, const struct trace *t, struct used *u)
{
    json_open_array(j, "steps");
    for (int s = 0; s < t->step_count; s++) {
        const struct trace_record *first = &t->records[t->order[t->steps[s]]];
        json_open_object(j, NULL);
        json_add_int(j, "i", use_of(u, first));
        json_add_text(j, "k", kind_name(first->kind));
        if (first->space == SPACE_SHARED && first->address)
            json_add_int(j, "sh", 1);
        json_open_array(j, "r");
        for (int at = t->steps[s]; at < t->steps[s + 1]; at++)
            add_record(j, t, &t->records[t->order[at]]);
        json_close(j);
        json_close(j);
    }
    json_close(j);
}

/* ---- the rest ----------------------------------------------------------------------------*/

static void add_memory(struct json *j, const struct trace *t)
{
    json_open_object(j, "shared");
    json_add_uint(j, "bytes", t->shared_bytes);
    json_open_array(j, "variables");
    for (int k = 0; k < t->variable_count; k++) {
        const struct trace_variable *v = &t->variables[k];
        json_open_array(j, NULL);
        json_add_text(j, NULL, v->name);
        json_add_uint(j, NULL, v->at);
        json_add_uint(j, NULL, v->bytes);
        json_close(j);
    }
    json_close(j);
    json_close(j);
    json_open_array(j, "buffers");
    for (int k = 0; k < t->buffer_count; k++) {
        json_open_array(j, NULL);
        json_add_text(j, NULL, t->buffers[k].name);
        json_add_uint(j, NULL, t->buffers[k].bytes);
        json_add_uint(j, NULL, t->buffers[k].element);
        json_close(j);
    }
    json_close(j);
}

static void add_totals(struct json *j, const struct trace_totals *t)
{
    json_open_object(j, "totals");
    json_add_uint(j, "instructions", t->instructions);
    json_add_uint(j, "thread_instructions", t->thread_instructions);
    json_add_uint(j, "barriers", t->barriers);
    json_add_uint(j, "warp_syncs", t->warp_syncs);
    json_add_uint(j, "shuffles", t->shuffles);
    json_add_uint(j, "votes", t->votes);
    json_add_uint(j, "wavefronts", t->wave_ld + t->wave_st + t->wave_atom);
    json_add_uint(j, "conflicts", t->conflicts);
    json_add_uint(j, "sectors", t->sector_ld + t->sector_st);
    json_add_uint(j, "atomics", t->atomic_lanes);
    json_close(j);
}

void trace_json(struct json *j, const struct trace *t, const char *source)
{
    struct used used = {.source = source};
    used.list =
        checked_alloc(((size_t)t->record_count + 1) * sizeof *used.list);
    json_add_uint(j, "block", t->block);
    json_add_uint(j, "blocks", t->blocks);
    json_add_uint(j, "warps", t->warps);
    json_add_uint(j, "threads", t->threads);
    json_add_bool(j, "in_step", t->is_in_step);
    json_add_bool(j, "cut", t->is_cut);
    add_memory(j, t);
    add_steps(j, t, &used);
    add_insns(j, &used);
    json_open_array(j, "queue");
    for (int k = 0; k < t->queue_count; k++) {
        json_open_array(j, NULL);
        json_add_uint(j, NULL, t->queue[k].block);
        json_add_uint(j, NULL, t->queue[k].lanes);
        json_close(j);
    }
    json_close(j);
    add_totals(j, &t->totals);
    free(used.list);
}
