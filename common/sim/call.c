/* Calls of device functions (PTX ISA 7.1, 9.7.12.5).
 *
 * A call gives its lanes a new frame.  Arguments travel through .param
 * variables: areas in a frame that hold 32 copies of the variable's bytes,
 * one a lane, one after the other. */
#include "sim/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 512 };

struct frame *frame_new(struct block *b, const struct code *code)
{
    struct frame *f = b->free_frames;
    if (f) {
        b->free_frames = f->caller;
    } else {
        f = checked_alloc(sizeof *f);
        f->next_all = b->all_frames;
        b->all_frames = f;
    }
    if (f->bytes < code->frame_bytes) {
        free(f->regs);
        f->bytes = code->frame_bytes;
        f->regs = aligned_alloc(64, ((size_t)f->bytes + 127) / 64 * 64);
        if (!f->regs)
            abort();
        memset(f->regs, 0xff, f->bytes);
    }
    uint8_t *regs = f->regs;
    *f = (struct frame){ .code = code, .bytes = f->bytes, .regs = regs,
                         .next_all = f->next_all };
    uint32_t garbage =
        garbage_word(b->machine, GARBAGE_REGISTERS, GARBAGE32);
    for (int k = 0; k < code->poison_count; k++) {
        uint32_t *at = (uint32_t *)(void *)(regs + code->poison[k].at);
        for (uint32_t i = 0; i < code->poison[k].bytes / 4; i++)
            at[i] = garbage;
    }
    return f;
}

void frame_release(struct block *b, struct frame *f)
{
    f->caller = b->free_frames;
    b->free_frames = f;
}

/* Copies the lanes of one argument into the callee's parameter area. */
static void pass_argument(const struct slot *from, const uint8_t *regs,
                          const struct param_area *to, uint8_t *callee,
                          uint32_t lanes)
{
    for (uint32_t m = lanes; m; m &= m - 1) {
        size_t i = (size_t)lane_first(m);
        const uint8_t *source = from->constant ? (const uint8_t *)from->at
                                               : regs + from->at;
        uint32_t bytes = from->area_bytes;
        if (bytes)
            source += i * bytes;
        else
            source += i * (bytes = from->bytes);
        if (bytes > to->bytes)
            bytes = to->bytes;
        memcpy(callee + to->at + i * to->bytes, source, bytes);
    }
}

/* The function at an address; NULL if none that this call can go to. */
static const struct code *code_at(const struct block *b, uint64_t address,
                                  const struct code_insn *in)
{
    const struct image *image = b->machine->image;
    const struct ptx_program *program = image->kernel->program;
    uint64_t which = (address - CODE_WINDOW) / 16;
    if (address < CODE_WINDOW || address % 16 ||
        which >= (uint64_t)program->function_count)
        return NULL;
    for (int i = 0; i < image->code_count; i++)
        if (image->codes[i]->function == program->functions[which])
            return image->codes[i]->function->param_count == in->vector
                       ? image->codes[i]
                       : NULL;
    return NULL;
}

/* Lanes that call other functions than the first one do so on their own. */
static const struct code *code_by_pointer(struct warp *w, int s,
                                          const struct code_insn *in)
{
    struct split *split = &w->splits[s];
    const uint64_t *a =
        (const uint64_t *)(void *)place_of(in, split->frame->regs, 0);
    uint64_t address = a[lane_first(split->mask)];
    uint32_t others = 0;
    for (uint32_t m = split->mask; m; m &= m - 1)
        if (a[lane_first(m)] != address)
            others |= 1u << lane_first(m);
    if (others)
        split_part(w, s, others);
    const struct code *code = code_at(w->block, address, in);
    if (!code)
        stop_note(w->block, STOP_TRAP, split->frame->code->function, in->insn,
                  "calls 0x%llx, where no such function is",
                  (unsigned long long)address);
    return code;
}

bool call_enter(struct warp *w, int s, const struct code_insn *in)
{
    struct split *split = &w->splits[s];
    struct frame *caller = split->frame;
    const struct code *code =
        in->exec == X_CALL ? in->callee : code_by_pointer(w, s, in);
    if (!code)
        return false;
    uint32_t local = caller->local_base + caller->code->local_bytes;
    if (caller->depth >= MAX_DEPTH ||
        local + code->local_bytes > w->block->machine->image->local_bytes) {
        stop_note(w->block, STOP_TRAP, caller->code->function, in->insn,
                  "calls go too deep: %u levels (endless recursion?)",
                  caller->depth);
        return false;
    }
    struct frame *f = frame_new(w->block, code);
    f->caller = caller;
    f->call = in;
    f->return_pc = split->pc + 1;
    f->depth = caller->depth + 1;
    f->local_base = local;
    f->lanes = split->mask;
    for (int k = 0; k < code->function->param_count; k++)
        pass_argument(&in->arguments[k], caller->regs, &code->params[k],
                      f->regs, split->mask);
    /* Lanes that return apart meet again after the call. */
    for (int j = 0; j < MAX_JOINS; j++) {
        if (w->joins[j].used)
            continue;
        w->joins[j] = (struct join){ .pc = f->return_pc, .frame = caller,
                                     .expected = split->mask,
                                     .parent = split->join, .used = true };
        split->join = j;
        break;
    }
    split->frame = f;
    split->pc = 0;
    return true;
}

static void give_result(const struct code_insn *call, const struct frame *f,
                        uint8_t *regs, uint32_t lanes)
{
    const struct slot *to = &call->d2;
    const struct param_area *from = &f->code->result;
    if (to->sink || !from->bytes)
        return;
    uint32_t width = to->area_bytes ? to->area_bytes : to->bytes;
    uint32_t bytes = width < from->bytes ? width : from->bytes;
    for (uint32_t m = lanes; m; m &= m - 1) {
        size_t i = (size_t)lane_first(m);
        memcpy(regs + to->at + i * width, f->regs + from->at + i * from->bytes,
               bytes);
    }
}

bool call_return(struct warp *w, int s, uint32_t active)
{
    struct split *split = &w->splits[s];
    struct frame *f = split->frame, *caller = f->caller;
    bool all = active == split->mask;
    int part = all ? s : split_part(w, s, active);
    split = &w->splits[part];
    give_result(f->call, f, caller->regs, active);
    int join = split->join;
    split->frame = caller;
    split->pc = f->return_pc;
    /* Joins inside the function end for these lanes; the split may move when
     * one of them completes, so it is looked up again by its lanes. */
    split_leave_frame(w, active, &join, f);
    split->join = join;
    f->lanes &= ~active;
    if (!f->lanes)
        frame_release(w->block, f);
    if (!all && !split_arrive(w, part))
        return true;
    return all;
}

/* ---- printf and assert ------------------------------------------------------*/

static void print(struct block *b, const char *bytes, size_t length)
{
    if (b->output_length + length > b->output_capacity) {
        b->output_capacity = 2 * (b->output_length + length);
        b->output = checked_realloc(b->output, b->output_capacity);
    }
    memcpy(b->output + b->output_length, bytes, length);
    b->output_length += length;
}

/* Bytes of a NUL-terminated string at a generic address; false if it leads
 * nowhere. */
static bool read_string(const struct block *b, uint64_t address, char *to,
                        size_t size)
{
    struct buffer *buf = memory_find(b->machine->memory, address);
    if (!buf || !buf->data)
        return false;
    size_t at = (size_t)(address - buf->address), n = 0;
    while (n + 1 < size && at + n < buf->bytes && buf->data[at + n]) {
        to[n] = (char)buf->data[at + n];
        n++;
    }
    to[n] = '\0';
    return true;
}

/* printf arguments lie in the thread's local memory, each at a multiple of
 * its size: 4 bytes for int, 8 for the others. */
struct arguments {
    const uint8_t *bytes;
    size_t size, at;
};

static uint64_t next_argument(struct arguments *a, size_t bytes)
{
    uint64_t v = 0;
    a->at = (a->at + bytes - 1) / bytes * bytes;
    if (a->at + bytes <= a->size)
        memcpy(&v, a->bytes + a->at, bytes);
    a->at += bytes;
    return v;
}

/* One conversion such as "%-8.3f"; returns its length in the format. */
static size_t convert(struct block *b, const char *format,
                      struct arguments *args)
{
    char spec[64], out[512], string[400];
    size_t n = strcspn(format + 1, "diouxXcsfFeEgGaAp%") + 1;
    if (!format[n] || n + 2 >= sizeof spec) {
        print(b, format, 1);
        return 1;
    }
    char kind = format[n];
    bool is_long = memchr(format, 'l', n) || memchr(format, 'z', n) ||
                   memchr(format, 'j', n) || memchr(format, 't', n);
    size_t k = 0; /* the spec without length letters and stars */
    for (size_t i = 0; i < n; i++)
        if (!strchr("hlLzjt*", format[i]))
            spec[k++] = format[i];
    int length = 0;
    double d;
    uint64_t v;
    if (kind == '%') {
        print(b, "%", 1);
        return n + 1;
    }
    if (strchr("fFeEgGaA", kind)) {
        spec[k++] = kind;
        spec[k] = '\0';
        v = next_argument(args, 8);
        memcpy(&d, &v, 8);
        length = snprintf(out, sizeof out, spec, d);
    } else if (kind == 's') {
        spec[k++] = 's';
        spec[k] = '\0';
        if (!read_string(b, next_argument(args, 8), string, sizeof string))
            strcpy(string, "(bad address)");
        length = snprintf(out, sizeof out, spec, string);
    } else if (kind == 'c') {
        spec[k++] = 'c';
        spec[k] = '\0';
        length = snprintf(out, sizeof out, spec,
                          (int)next_argument(args, 4));
    } else {
        memcpy(spec + k, "ll", 2);
        spec[k + 2] = kind == 'p' ? 'x' : kind;
        spec[k + 3] = '\0';
        v = next_argument(args, is_long || kind == 'p' ? 8 : 4);
        if (!is_long && (kind == 'd' || kind == 'i'))
            v = (uint64_t)(int64_t)(int32_t)v;
        length = snprintf(out, sizeof out, spec, v);
    }
    if (length > 0)
        print(b, out, (size_t)length < sizeof out ? (size_t)length
                                                  : sizeof out - 1);
    return n + 1;
}

static void native_printf(struct block *b, uint32_t thread, uint64_t format_at,
                          uint64_t arguments_at)
{
    char format[1024];
    struct arguments args = { 0 };
    uint64_t limit = b->machine->image->local_bytes;
    if (!read_string(b, format_at, format, sizeof format))
        return;
    uint64_t at = arguments_at - LOCAL_WINDOW;
    if (b->local && at < limit) {
        args.bytes = b->local + limit * thread + at;
        args.size = (size_t)(limit - at);
    }
    for (const char *p = format; *p;) {
        size_t plain = strcspn(p, "%");
        print(b, p, plain);
        p += plain;
        if (*p)
            p += convert(b, p, &args);
    }
}

static uint64_t argument_lane(const struct code_insn *in, const uint8_t *regs,
                              int k, int lane)
{
    const struct slot *p = &in->arguments[k];
    uint32_t bytes = p->area_bytes ? p->area_bytes : p->bytes;
    const uint8_t *from = p->constant ? (const uint8_t *)p->at : regs + p->at;
    uint64_t v = 0;
    memcpy(&v, from + (size_t)lane * bytes, bytes < 8 ? bytes : 8);
    return v;
}

static void native_assert(struct warp *w, struct split *split,
                          const struct code_insn *in, uint32_t active)
{
    char what[200] = "?", file[200] = "?";
    int lane = lane_first(active);
    const uint8_t *regs = split->frame->regs;
    read_string(w->block, argument_lane(in, regs, 0, lane), what,
                sizeof what);
    read_string(w->block, argument_lane(in, regs, 1, lane), file,
                sizeof file);
    char text[440];
    snprintf(text, sizeof text, "assertion `%s' failed", what);
    if (event_wanted(w->block, EVENT_TRAP)) {
        struct event ev = { .kind = EVENT_TRAP,
                            .function = split->frame->code->function,
                            .insn = in->insn, .warp = w->index,
                            .active = active, .text = text };
        event_send(w->block, &ev);
    }
    stop_note(w->block, STOP_TRAP, split->frame->code->function, in->insn,
              "%s in thread %u of block %llu", text,
              w->index * WARP_LANES + (uint32_t)lane,
              (unsigned long long)w->block->index);
}

bool call_native(struct warp *w, struct split *split,
                 const struct code_insn *in, uint32_t active)
{
    if (in->native == NATIVE_ASSERT) {
        native_assert(w, split, in, active);
        return false;
    }
    const uint8_t *regs = split->frame->regs;
    for (uint32_t m = active; m; m &= m - 1) {
        int i = lane_first(m);
        native_printf(w->block, w->index * WARP_LANES + (uint32_t)i,
                      argument_lane(in, regs, 0, i),
                      argument_lane(in, regs, 1, i));
    }
    return true;
}
