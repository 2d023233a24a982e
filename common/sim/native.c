/* What the CUDA runtime gives a kernel: printf and assert (CUDA C++
 * Programming Guide, "Formatted Output").
 *
 * Formats and arguments are the kernel's data and may be anything: each
 * conversion is read strictly and written anew before the C library sees
 * it. */
#include "sim/machine.h"

#include <stdio.h>
#include <string.h>

enum { MAX_WIDTH = 400, MAX_OUTPUT = 1 << 20 };

static void print(struct block *b, const char *bytes, size_t length)
{
    size_t room = MAX_OUTPUT - b->output_length;
    if (length > room) /* a GPU's buffer is full then, too */
        length = room;
    if (b->output_length + length > b->output_capacity) {
        b->output_capacity = 2 * (b->output_length + length);
        b->output = checked_realloc(b->output, b->output_capacity);
    }
    if (length)
        memcpy(b->output + b->output_length, bytes, length);
    b->output_length += length;
}

/* ---- strings --------------------------------------------------------------*/

/* One thread of a block. */
struct caller {
    struct block *block;
    uint32_t thread;
};

/* Bytes from a generic address on; NULL if it leads nowhere. */
static const uint8_t *bytes_at(const struct caller *c, uint64_t address,
                               size_t *count)
{
    const struct block *b = c->block;
    uint64_t limit = b->machine->info.shared_bytes;
    const uint8_t *from = b->shared;
    if (address - LOCAL_WINDOW < WINDOW_BYTES) {
        address -= LOCAL_WINDOW;
        limit = b->machine->image->local_bytes;
        from = b->local ? b->local + limit * c->thread : NULL;
    } else if (address - SHARED_WINDOW < WINDOW_BYTES) {
        address -= SHARED_WINDOW;
    } else {
        const struct buffer *buf = memory_find(b->machine->memory, address);
        if (!buf)
            return NULL;
        address -= buf->address;
        limit = buf->bytes;
        from = buf->data;
    }
    if (!from || address >= limit)
        return NULL;
    *count = (size_t)(limit - address);
    return from + address;
}

/* A string that ends in \0; false if the address leads nowhere. */
static bool read_string(const struct caller *c, uint64_t address, char *to,
                        size_t size)
{
    size_t count = 0, n = 0;
    const uint8_t *from = bytes_at(c, address, &count);
    to[0] = '\0';
    if (!from)
        return false;
    for (; n + 1 < size && n < count && from[n]; n++)
        to[n] = (char)from[n];
    to[n] = '\0';
    return true;
}

/* ---- printf ---------------------------------------------------------------*/

/* Arguments lie in the thread's local memory, each at a multiple of its size:
 * 4 bytes for int, 8 for the others. */
struct arguments {
    const uint8_t *bytes;
    size_t size, at;
    int used;
};

static uint64_t next_argument(struct arguments *a, size_t bytes)
{
    uint64_t v = 0;
    a->used++;
    a->at = (a->at + bytes - 1) / bytes * bytes;
    if (a->at + bytes <= a->size)
        memcpy(&v, a->bytes + a->at, bytes);
    a->at += bytes;
    return v;
}

/* "%-8.3f": what stands between the % and the letter. */
struct conversion {
    char flags[6];
    int width, precision; /* -1: none */
    int shorts, longs;    /* letters h; l and the others that mean 64 bits */
    char kind;
};

/* A number or a *, whose value is the next argument. */
static int read_number(const char **at, struct arguments *args)
{
    int n = 0;
    if (**at == '*') {
        ++*at;
        n = (int)(uint32_t)next_argument(args, 4);
        return n < 0 ? 0 : n > MAX_WIDTH ? MAX_WIDTH : n;
    }
    for (; **at >= '0' && **at <= '9'; ++*at)
        n = n > MAX_WIDTH ? n : 10 * n + (**at - '0');
    return n > MAX_WIDTH ? MAX_WIDTH : n;
}

/* Reads one conversion; its length, or 0 if it is none. */
static size_t read_conversion(const char *format, struct conversion *c,
                              struct arguments *args)
{
    const char *at = format + 1;
    *c = (struct conversion){.width = -1, .precision = -1};
    for (size_t n = 0; *at && strchr("#0+- ", *at); at++)
        if (n + 1 < sizeof c->flags && !strchr(c->flags, *at))
            c->flags[n++] = *at;
    if (*at == '*' || (*at >= '1' && *at <= '9'))
        c->width = read_number(&at, args);
    if (*at == '.') {
        at++;
        c->precision = read_number(&at, args);
    }
    for (; *at && strchr("hlLzjt", *at); at++)
        *(*at == 'h' ? &c->shorts : &c->longs) += 1;
    if (!*at || !strchr("diouxXcsfFeEgGaAp%", *at))
        return 0;
    c->kind = *at++;
    return (size_t)(at - format);
}

/* The value of an integer conversion, as 64 bits with its sign. */
static uint64_t integer_argument(const struct conversion *c,
                                 struct arguments *args)
{
    bool is_signed = c->kind == 'd' || c->kind == 'i';
    uint64_t v = next_argument(args, c->longs ? 8 : 4);
    if (c->longs)
        return v;
    int shift = c->shorts > 1 ? 56 : c->shorts ? 48 : 32;
    return is_signed ? (uint64_t)((int64_t)(v << shift) >> shift)
                     : v << shift >> shift;
}

static void print_conversion(const struct caller *who,
                             const struct conversion *c, struct arguments *args)
{
    char spec[48], out[1024], string[MAX_WIDTH];
    int n = snprintf(spec, sizeof spec, "%%%s", c->flags), length = 0;
    if (c->width >= 0)
        n += snprintf(spec + n, sizeof spec - (size_t)n, "%d", c->width);
    if (c->precision >= 0)
        n += snprintf(spec + n, sizeof spec - (size_t)n, ".%d", c->precision);
    const char *size = strchr("diouxX", c->kind) ? "ll" : "";
    snprintf(spec + n, sizeof spec - (size_t)n, "%s%c", size, c->kind);
    if (c->kind == '%') {
        length = snprintf(out, sizeof out, "%%");
    } else if (strchr("fFeEgGaA", c->kind)) {
        uint64_t bits = next_argument(args, 8);
        double d;
        memcpy(&d, &bits, 8);
        length = snprintf(out, sizeof out, spec, d);
    } else if (c->kind == 's') {
        uint64_t address = next_argument(args, 8);
        if (!read_string(who, address, string, sizeof string))
            strcpy(string, address ? "(bad address)" : "(null)");
        length = snprintf(out, sizeof out, spec, string);
    } else if (c->kind == 'c') {
        length = snprintf(out, sizeof out, spec, (int)next_argument(args, 4));
    } else if (c->kind == 'p') {
        length = snprintf(out, sizeof out, spec,
                          (void *)(uintptr_t)next_argument(args, 8));
    } else {
        length = snprintf(out, sizeof out, spec, integer_argument(c, args));
    }
    if (length > 0)
        print(who->block, out,
              (size_t)length < sizeof out ? (size_t)length : sizeof out - 1);
}

/* Returns what printf does: the number of arguments used, or -1. */
static int native_printf(const struct caller *who, uint64_t format_at,
                         uint64_t arguments_at)
{
    char format[1024];
    struct arguments args = {0};
    if (!read_string(who, format_at, format, sizeof format))
        return -1;
    args.bytes = bytes_at(who, arguments_at, &args.size);
    for (const char *p = format; *p;) {
        struct conversion c;
        size_t plain = strcspn(p, "%");
        print(who->block, p, plain);
        p += plain;
        if (!*p)
            break;
        size_t n = read_conversion(p, &c, &args);
        if (n)
            print_conversion(who, &c, &args);
        else
            print(who->block, p, n = 1); /* it stays as it is */
        p += n;
    }
    return args.used;
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
    char what[200] = "";
    int lane = lane_first(active);
    struct caller who = {w->block, w->index * WARP_LANES + (uint32_t)lane};
    read_string(&who, argument_lane(in, split->frame->regs, 0, lane), what,
                sizeof what);
    char text[440];
    snprintf(text, sizeof text, "assertion `%s' failed", what);
    if (event_wanted(w->block, EVENT_TRAP)) {
        struct event ev = {.kind = EVENT_TRAP,
                           .function = split->frame->code->function,
                           .insn = in->insn,
                           .warp = w->index,
                           .active = active,
                           .text = text};
        event_send(w->block, &ev);
    }
    stop_note(w->block, STOP_TRAP, split->frame->code->function, in->insn,
              "%s in thread %u of block %llu", text, who.thread,
              (unsigned long long)w->block->index);
}

bool call_native(struct warp *w, struct split *split,
                 const struct code_insn *in, uint32_t active)
{
    if (in->native == NATIVE_ASSERT) {
        native_assert(w, split, in, active);
        return false;
    }
    uint8_t *regs = split->frame->regs;
    const struct slot *to = &in->d2;
    size_t bytes = to->area_bytes ? to->area_bytes : to->bytes;
    for (uint32_t m = active; m; m &= m - 1) {
        int i = lane_first(m);
        struct caller who = {w->block, w->index * WARP_LANES + (uint32_t)i};
        int used = native_printf(&who, argument_lane(in, regs, 0, i),
                                 argument_lane(in, regs, 1, i));
        if (!to->sink)
            memcpy(regs + to->at + (size_t)i * bytes, &used, sizeof used);
    }
    return true;
}
