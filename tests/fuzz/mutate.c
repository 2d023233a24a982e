/* How fuzz_exec changes PTX: by lines, words and whole instructions made from
 * the decoder's own tables, so that most of what it makes still loads.
 * Only the fuzzer is linked with this file. */
#include "base/random.h"
#include "base/text.h"
#include "ptx/ops.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size,
                                 const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t max_size, unsigned int seed);

enum { MAX_LINES = 400, MAX_NAMES = 64, NAME = 24, TRIES = 12 };

struct span {
    const char *at;
    size_t length;
};
/* What the text declares, so that new instructions can use it. */
struct pool {
    struct named {
        char name[NAME];
        unsigned count; /* registers %name<count>; 0: the name alone */
        enum ptx_type type;
    } registers[MAX_NAMES];
    int register_count;
    char labels[MAX_NAMES][NAME], variables[MAX_NAMES][NAME];
    int label_count, variable_count;
};
struct lines {
    struct span items[MAX_LINES];
    int count;
    struct pool pool;
    struct random random;
};

static uint64_t below(struct lines *l, uint64_t n)
{
    return random_below(&l->random, n);
}

static bool chance(struct lines *l, unsigned percent)
{
    return below(l, 100) < percent;
}

/* ---- what is there -----------------------------------------------------------*/

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || strchr("_%$.", c);
}

static void copy_word(char *to, const char *from)
{
    size_t n = 0;
    while (n + 1 < NAME && from[n] && is_word(from[n]) && from[n] != '.')
        n++;
    memcpy(to, from, n);
    to[n] = '\0';
}

/* .reg .b32 %r<5>; */
static void note_registers(struct pool *p, const char *line)
{
    char type[8] = "";
    const char *at = line + strcspn(line, ".");
    at = strncmp(at, ".reg", 4) == 0 ? at + 4 + strcspn(at + 4, ".") : "";
    for (size_t n = 0; *at && n + 1 < sizeof type && is_word(at[n + 1]); n++)
        type[n] = at[n + 1];
    while (*at && *at != ' ')
        at++;
    while (*at && *at != '%' && !isalpha((unsigned char)*at))
        at++;
    if (!*at || p->register_count == MAX_NAMES)
        return;
    struct named *r = &p->registers[p->register_count];
    copy_word(r->name, at);
    at += strlen(r->name);
    r->count = *at == '<' ? (unsigned)strtoul(at + 1, NULL, 10) : 0;
    r->type = ptx_type_find(type, (int)strlen(type));
    p->register_count += r->type != PTX_TYPE_COUNT;
}

static void note_line(struct pool *p, const char *line)
{
    static const char *const spaces[] = {".shared", ".global", ".local",
                                         ".const", ".param"};
    const char *start = line + strspn(line, " \t");
    const char *end = line + strcspn(line, "[;=)");
    size_t word = strspn(start, "%$_0123456789abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    note_registers(p, line);
    if (word && start[word] == ':' && p->label_count < MAX_NAMES)
        copy_word(p->labels[p->label_count++], start);
    for (size_t k = 0; k < sizeof spaces / sizeof *spaces; k++) {
        const char *space = strstr(line, spaces[k]);
        if (!space || space > end || p->variable_count == MAX_NAMES)
            continue;
        while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
            end--;
        const char *at = end;
        while (at > line && is_word(at[-1]) && at[-1] != '.')
            at--;
        copy_word(p->variables[p->variable_count++], at);
        return;
    }
}

static void read_lines(struct lines *l, const char *text, size_t size,
                       unsigned seed)
{
    memset(l, 0, sizeof *l);
    l->random.state = seed;
    for (size_t at = 0; at < size && l->count < MAX_LINES;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - text) - at : size - at;
        char line[160] = "";
        l->items[l->count++] = (struct span){text + at, length};
        memcpy(line, text + at, length < 159 ? length : 159);
        note_line(&l->pool, line);
        at += length + 1;
    }
}

/* ---- new words -----------------------------------------------------------------*/

static void add_number(struct lines *l, struct text *to, bool is_float)
{
    static const char *const numbers[] = {"0",
                                          "1",
                                          "-1",
                                          "2",
                                          "3",
                                          "4",
                                          "8",
                                          "15",
                                          "16",
                                          "31",
                                          "32",
                                          "33",
                                          "63",
                                          "64",
                                          "127",
                                          "255",
                                          "0xffffffff",
                                          "0x80000000",
                                          "0x7fff",
                                          "65536",
                                          "0x1f1f",
                                          "0x700000000000",
                                          "0x710000000000",
                                          "0x720000200000",
                                          "0xffffffffffffffff",
                                          "0x8000000000000000"};
    static const char *const floats[] = {
        "0f3F800000", "0f00000001", "0f7FC00000",         "0fFF800000",
        "1.5",        "-0.25",      "0d7FF0000000000000", "0f80000000"};
    if (is_float)
        text_puts(to, floats[below(l, sizeof floats / sizeof *floats)]);
    else
        text_puts(to, numbers[below(l, sizeof numbers / sizeof *numbers)]);
}

static bool add_register(struct lines *l, struct text *to, enum ptx_type type)
{
    int bytes = ptx_type_bytes(type);
    for (int k = 0; k < 24 && l->pool.register_count; k++) {
        const struct named *r =
            &l->pool.registers[below(l, (uint64_t)l->pool.register_count)];
        if ((r->type == PTX_PRED) != (type == PTX_PRED) ||
            (ptx_type_bytes(r->type) != bytes && k < 22))
            continue;
        text_puts(to, r->name);
        if (r->count)
            text_printf(to, "%u", (unsigned)below(l, r->count));
        return true;
    }
    return false;
}

static void add_address(struct lines *l, struct text *to, enum ptx_space space)
{
    text_puts(to, "[");
    if (l->pool.variable_count && chance(l, 40))
        text_puts(
            to, l->pool.variables[below(l, (uint64_t)l->pool.variable_count)]);
    else
        add_register(
            l, to, space == SPACE_SHARED && chance(l, 60) ? PTX_B32 : PTX_B64);
    if (chance(l, 40))
        text_printf(to, "+%d", (int)below(l, 40) * 4 - 32);
    text_puts(to, "]");
}

static void add_value(struct lines *l, struct text *to, enum ptx_type type,
                      bool is_source)
{
    enum ptx_type_kind kind = ptx_type_kind(type);
    if (!is_source && chance(l, 3))
        text_puts(to, "_");
    else if ((is_source && kind != KIND_PREDICATE && chance(l, 30)) ||
             !add_register(l, to, type))
        add_number(l, to, kind == KIND_FLOAT);
}

/* ---- new instructions ------------------------------------------------------------*/

static void apply(struct ptx_insn *insn, const struct modifier *m)
{
    switch (m->field) {
    case FIELD_SPACE: insn->space = (enum ptx_space)m->value; break;
    case FIELD_BOOLEAN: insn->boolean = (enum ptx_bool)m->value; break;
    case FIELD_ATOMIC: insn->atomic = (enum ptx_atomic)m->value; break;
    case FIELD_MODE: insn->mode = (enum ptx_mode)m->value; break;
    case FIELD_FLAG: insn->flags |= m->value; break;
    default: break;
    }
}

/* For each field one of the modifiers that the opcode takes, or none. */
static void add_modifiers(struct lines *l, struct text *to,
                          struct ptx_insn *insn)
{
    for (int field = FIELD_SPACE; field <= FIELD_DROP; field++) {
        const struct modifier *chosen = NULL;
        uint64_t seen = 0;
        for (int k = 0; k < ptx_modifier_count; k++) {
            const struct modifier *m = &ptx_modifiers[k];
            if ((int)m->field == field && ptx_modifier_fits(m, insn->op) &&
                below(l, ++seen) == 0)
                chosen = m;
        }
        bool is_rare =
            field == FIELD_FLAG || field == FIELD_DROP || field == FIELD_ORDER;
        if (!chosen || !chance(l, is_rare ? 35 : 80))
            continue;
        text_printf(to, ".%s", chosen->suffix);
        apply(insn, chosen);
    }
    if (insn->op == OP_BAR && insn->mode == MODE_WARP)
        text_puts(to, ".sync");
    bool syncs = insn->op == OP_SHFL || insn->op == OP_VOTE ||
                 insn->op == OP_MATCH || insn->op == OP_REDUX ||
                 insn->op == OP_ELECT;
    if (syncs && !(insn->flags & FLAG_SYNC) && chance(l, 80)) {
        text_puts(to, ".sync");
        insn->flags |= FLAG_SYNC;
    }
    insn->vector = 1;
    if ((insn->op == OP_LD || insn->op == OP_ST) && chance(l, 30)) {
        insn->vector = chance(l, 50) ? 2 : 4;
        text_printf(to, ".v%d", insn->vector);
    }
}

static enum ptx_type add_type(struct lines *l, struct text *to, enum ptx_op op)
{
    for (int k = 0; k < 60; k++) {
        enum ptx_type type = (enum ptx_type)below(l, PTX_TYPE_COUNT);
        if (type == PTX_NONE || !ptx_op_takes(op, type))
            continue;
        text_printf(to, ".%s", ptx_type_name(type));
        return type;
    }
    return PTX_NONE;
}

static void add_operand(struct lines *l, struct text *to,
                        const struct ptx_insn *insn, char letter)
{
    bool is_source = !strchr("dDp", letter);
    enum ptx_type type = ptx_operand_type(insn, letter);
    if (letter == 'm') {
        add_address(l, to, insn->space);
    } else if (letter == 'l') {
        text_puts(to,
                  l->pool.label_count
                      ? l->pool.labels[below(l, (uint64_t)l->pool.label_count)]
                      : "nowhere");
    } else if (letter == 's' && chance(l, 25)) {
        text_puts(to, ptx_specials[below(l, SR_COUNT)].name);
    } else if (letter == 's' && l->pool.variable_count && chance(l, 25)) {
        text_puts(
            to, l->pool.variables[below(l, (uint64_t)l->pool.variable_count)]);
    } else if (insn->vector > 1 && (letter == 'D' || letter == 'A')) {
        for (int k = 0; k < insn->vector; k++) {
            text_puts(to, k ? ", " : "{");
            add_value(l, to, insn->type, is_source);
        }
        text_puts(to, "}");
    } else if (letter == 'P' && chance(l, 10)) {
        text_puts(to, chance(l, 50) ? "1" : "0");
    } else {
        if (letter == 'P' && chance(l, 20))
            text_puts(to, "!");
        add_value(l, to, type, is_source);
    }
}

static void add_instruction(struct lines *l, struct text *to)
{
    struct ptx_insn insn = {.guard = -1};
    do
        insn.op = (enum ptx_op)below(l, OP_COUNT);
    while (ptx_ops[insn.op].class == CLASS_ALU && chance(l, 70));
    text_puts(to, "    ");
    if (chance(l, 25)) {
        text_puts(to, chance(l, 50) ? "@" : "@!");
        add_register(l, to, PTX_PRED);
        text_puts(to, " ");
    }
    text_puts(to, ptx_ops[insn.op].name);
    add_modifiers(l, to, &insn);
    bool barrier = insn.op == OP_BAR || insn.op == OP_BARRIER;
    if (!barrier || insn.mode == MODE_RED)
        insn.type = add_type(l, to, insn.op);
    if (insn.op == OP_CVT || insn.op == OP_SET || insn.op == OP_SLCT ||
        insn.op == OP_DP4A || insn.op == OP_DP2A)
        insn.type2 = add_type(l, to, insn.op);
    insn.operand_count = barrier && chance(l, 50) ? 4 : 0;
    const char *shape = ptx_shape(&insn), *comma = " ";
    for (; *shape && !(*shape == '?' && chance(l, 50)); shape++) {
        if (*shape == '?')
            continue;
        text_puts(to, comma);
        add_operand(l, to, &insn, *shape);
        if (comma[0] == ' ' && strchr("dp", *shape) && chance(l, 15)) {
            text_puts(to, "|");
            add_value(l, to, PTX_PRED, false);
        }
        comma = ", ";
    }
    text_puts(to, ";");
}

static void add_declarations(struct lines *l, struct text *to)
{
    static const char *const rows[] = {
        "    .reg .pred %q<4>;\n    .reg .b16 %s<4>;\n    .reg .b32 %t<8>;\n"
        "    .reg .b64 %u<8>;\n    .reg .f32 %v<4>;\n    .reg .f64 %w<4>;",
        "    .shared .align 16 .b8 pot[256];",
        "    .local .align 16 .b8 own[64];",
        "    mov.u64 %u0, pot;\n    mov.u32 %t0, pot;\n"
        "    cvta.shared.u64 %u1, %u0;\n    mov.u32 %t1, %tid.x;\n"
        "    mad.wide.u32 %u2, %t1, 4, %u1;\n    mov.u32 %t2, %laneid;\n"
        "    mad.lo.u32 %t3, %t1, 4, %t0;\n    and.b32 %t4, %t1, 1;\n"
        "    setp.ne.u32 %q0, %t4, 0;",
        "    st.shared.u32 [pot], 0;\n    bar.sync 0;",
    };
    text_puts(to, rows[below(l, sizeof rows / sizeof *rows)]);
}

/* ---- changes -----------------------------------------------------------------------*/

/* The line with one of its words exchanged. */
static void change_word(struct lines *l, struct text *to, struct span line)
{
    size_t words = 0, start = 0, end = 0;
    for (size_t i = 0; i < line.length; i++) {
        if (!is_word(line.at[i]) || (i && is_word(line.at[i - 1])))
            continue;
        if (below(l, ++words) == 0)
            start = i;
    }
    for (end = start; end < line.length && is_word(line.at[end]);)
        end++;
    text_add(to, line.at, start);
    if (end > start && isdigit((unsigned char)line.at[start]) && chance(l, 70))
        add_number(l, to, false);
    else if (end > start && line.at[start] == '%' && chance(l, 80))
        add_register(l, to,
                     (enum ptx_type[]){PTX_B32, PTX_B64, PTX_PRED, PTX_F32,
                                       PTX_B16}[below(l, 5)]);
    else if (chance(l, 40))
        text_puts(
            to,
            l->pool.variable_count
                ? l->pool.variables[below(l, (uint64_t)l->pool.variable_count)]
                : "x");
    else
        add_number(l, to, chance(l, 20));
    text_add(to, line.at + end, line.length - end);
}

static void add_branch(struct lines *l, struct text *to)
{
    unsigned k = (unsigned)below(l, 1000);
    if (chance(l, 40)) {
        text_printf(to, "new%u:", k);
        return;
    }
    text_puts(to, chance(l, 50) ? "    @" : "    @!");
    if (!add_register(l, to, PTX_PRED))
        text_puts(to, "%q0");
    text_puts(to, " bra ");
    if (l->pool.label_count)
        text_puts(to, l->pool.labels[below(l, (uint64_t)l->pool.label_count)]);
    else
        text_printf(to, "new%u;\nnew%u:", k, k);
    text_puts(to, l->pool.label_count ? ";" : "");
}

static void add_shape(struct lines *l, struct text *to)
{
    static const unsigned blocks[] = {1, 20, 32, 33, 48, 64, 96, 128, 1024};
    text_printf(to, "//! %u %u %u 1 %u %u %u %u %u\n",
                1 + (unsigned)below(l, 5), blocks[below(l, 9)],
                1 + (unsigned)below(l, 2), (unsigned)below(l, 5) * 64,
                (unsigned)below(l, 3), (unsigned)below(l, 9),
                (unsigned)below(l, 4), (unsigned)below(l, 2));
}

static void copy_line(struct text *to, struct span line)
{
    text_add(to, line.at, line.length);
    text_puts(to, "\n");
}

/* One change at line `at`; the line itself stays unless it is replaced. */
static void change_line(struct lines *l, struct text *to, int at)
{
    struct span line = l->items[at];
    uint64_t kind = below(l, 10);
    if (kind >= 2)
        copy_line(to, line);
    switch (kind) {
    case 0: /* gone */ return;
    case 1: change_word(l, to, line); break;
    case 2: /* twice */
        copy_line(to, l->items[below(l, (uint64_t)l->count)]);
        return;
    case 3: add_branch(l, to); break;
    case 4: add_declarations(l, to); break;
    case 5: text_puts(to, "    bar.sync 0;"); break;
    default: add_instruction(l, to); break;
    }
    text_puts(to, "\n");
}

static void change(struct lines *l, struct text *to)
{
    int first = 0;
    if (l->count && l->items[0].length > 3 &&
        memcmp(l->items[0].at, "//!", 3) == 0)
        first = 1;
    if (chance(l, 20))
        add_shape(l, to);
    else if (first)
        copy_line(to, l->items[0]);
    if (first == l->count)
        return;
    int at = first + (int)below(l, (uint64_t)(l->count - first));
    int other = chance(l, 10)
                    ? first + (int)below(l, (uint64_t)(l->count - first))
                    : at;
    for (int i = first; i < l->count; i++) {
        if (at != other && (i == at || i == other))
            copy_line(to, l->items[i == at ? other : at]);
        else if (i == at)
            change_line(l, to, i);
        else
            copy_line(to, l->items[i]);
    }
}

static bool loads(const struct text *t)
{
    struct error e;
    struct ptx_program *p = ptx_load("x", t->data, t->length, &e);
    if (p)
        ptx_free(p);
    return p != NULL;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned int seed)
{
    static struct lines l;
    struct text text = {0};
    if (seed % 64 == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    text_add(&text, (const char *)data, size);
    for (int k = 0, done = 0; k < TRIES && done < 1 + (int)(seed % 3); k++) {
        struct text next = {0};
        read_lines(&l, text.data, text.length, seed * 31 + (unsigned)k);
        text_add(&next, "", 0);
        change(&l, &next);
        if (next.length > max_size || !loads(&next)) {
            text_free(&next);
            continue;
        }
        text_free(&text);
        text = next;
        done++;
    }
    size_t length = text.length < max_size ? text.length : max_size;
    memcpy(data, text.data, length);
    text_free(&text);
    return length;
}

/* Some lines of the one go into the other. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size,
                                 const uint8_t *b, size_t b_size, uint8_t *out,
                                 size_t max_size, unsigned int seed)
{
    static struct lines x, y;
    struct text text = {0};
    read_lines(&x, (const char *)a, a_size, seed);
    read_lines(&y, (const char *)b, b_size, seed + 1);
    if (!x.count || !y.count)
        return 0;
    for (int k = 0; k < TRIES; k++) {
        int at = (int)below(&x, (uint64_t)x.count);
        int from = (int)below(&x, (uint64_t)y.count);
        int count = 1 + (int)below(&x, 6);
        text_free(&text);
        for (int i = 0; i < x.count; i++) {
            copy_line(&text, x.items[i]);
            for (int j = 0; i == at && j < count && from + j < y.count; j++)
                copy_line(&text, y.items[from + j]);
        }
        if (text.length <= max_size && loads(&text))
            break;
    }
    size_t length = text.length < max_size ? text.length : max_size;
    memcpy(out, text.data, length);
    text_free(&text);
    return length;
}
