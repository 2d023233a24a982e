/* Decoded PTX becomes an image: code that the executor runs as it stands.
 *
 *   collect   the kernel and all functions it calls
 *   layout    shared variables one after the other, the dynamic part last;
 *             local variables of each function; registers in its frame
 *   translate each instruction (link_insn.c), with an X_JOIN in front of
 *             every place where lanes meet again
 *
 * Images are made once for each kernel, when it is first launched. */
#include "sim/link.h"

#include "ptx/flow.h"

#include <stdlib.h>
#include <string.h>

enum {
    STACK_BYTES = 1 << 16, /* a thread's, where functions call themselves */
    MAX_LOCAL = 1 << 19,
    MAX_FUNCTIONS = 1024,
};

/* ---- layout -----------------------------------------------------------------*/

static uint64_t align_up(uint64_t at, uint64_t align)
{
    return align ? (at + align - 1) / align * align : at;
}

static void place_variable(struct link *l, const struct ptx_variable *v,
                           uint64_t at)
{
    if (l->layout_count == l->layout_capacity) {
        l->layout_capacity = l->layout_capacity ? 2 * l->layout_capacity : 16;
        l->layout = checked_realloc(l->layout, (size_t)l->layout_capacity *
                                                   sizeof *l->layout);
    }
    l->layout[l->layout_count++] = (struct layout_entry){v, at};
}

static const struct layout_entry *placed(const struct link *l,
                                         const struct ptx_variable *v)
{
    for (int i = 0; i < l->layout_count; i++)
        if (l->layout[i].variable == v)
            return &l->layout[i];
    return NULL;
}

uint64_t link_address(const struct link *l, const struct ptx_variable *v)
{
    const struct buffer *b = module_buffer(l->module, v);
    if (b)
        return b->address;
    const struct layout_entry *p = placed(l, v);
    return p ? p->at : 0;
}

struct code *link_code(const struct link *l, const struct ptx_function *f)
{
    for (int i = 0; i < l->image->code_count; i++)
        if (l->image->codes[i]->function == f)
            return l->image->codes[i];
    return NULL;
}

static void add_code(struct link *l, const struct ptx_function *f)
{
    struct image *image = l->image;
    if (link_code(l, f) || image->code_count > MAX_FUNCTIONS)
        return;
    image->codes[image->code_count] =
        arena_alloc(&image->arena, sizeof(struct code));
    image->codes[image->code_count++]->function = f;
}

/* The functions in a table of pointers (of virtual functions, say), and in the
 * tables that it points to. */
static void add_table(struct link *l, const struct ptx_variable *v)
{
    if (!v || !v->relocation_count)
        return;
    for (int i = 0; i < l->table_count; i++)
        if (l->tables[i] == v)
            return;
    l->tables = checked_realloc(l->tables,
                                ((size_t)l->table_count + 1) * sizeof(void *));
    l->tables[l->table_count++] = v;
}

static void follow_tables(struct link *l)
{
    for (; l->tables_followed < l->table_count; l->tables_followed++) {
        const struct ptx_variable *v = l->tables[l->tables_followed];
        for (int k = 0; k < v->relocation_count; k++) {
            const struct ptx_relocation *r = &v->relocations[k];
            if (r->function && r->function->has_body)
                add_code(l, r->function);
            add_table(l, r->variable);
        }
    }
}

/* The kernel and all it may call, callers first. */
static bool collect(struct link *l, const struct ptx_function *kernel)
{
    struct image *image = l->image;
    image->codes =
        arena_array(&image->arena, MAX_FUNCTIONS + 1, sizeof *image->codes);
    add_code(l, kernel);
    for (int c = 0; c < image->code_count; c++) {
        const struct ptx_function *f = image->codes[c]->function;
        for (int i = 0; i < f->insn_count; i++) {
            const struct ptx_call *call = f->insns[i].call;
            if (call && call->callee && call->callee->has_body)
                add_code(l, call->callee);
            for (int k = 0; k < f->insns[i].operand_count; k++) {
                const struct ptx_operand *o = &f->insns[i].operand[k];
                if (o->kind == OPERAND_SYMBOL && o->function &&
                    o->function->has_body)
                    add_code(l, o->function); /* for a call by pointer */
                add_table(l, o->variable);
            }
        }
        follow_tables(l);
    }
    return image->code_count <= MAX_FUNCTIONS ||
           error_set(l->error, "%s: calls more than %d functions", kernel->name,
                     MAX_FUNCTIONS);
}

static void use_shared(struct link *l, const struct ptx_variable *v)
{
    if (!v || v->space != SPACE_SHARED || v->is_extern || placed(l, v))
        return;
    uint64_t at = align_up(l->image->static_shared, (uint64_t)v->align);
    place_variable(l, v, at);
    if (v->bytes < MAX_SHARED && at + v->bytes <= MAX_SHARED)
        l->image->static_shared = (uint32_t)(at + v->bytes);
    else
        l->image->static_shared = MAX_SHARED + 1; /* refused at launch */
}

/* Calls `visit` for every variable that an instruction names. */
static void each_variable(struct link *l, const struct ptx_function *f,
                          void (*visit)(struct link *,
                                        const struct ptx_variable *))
{
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_call *call = f->insns[i].call;
        for (int k = 0; k < f->insns[i].operand_count; k++)
            visit(l, f->insns[i].operand[k].variable);
        for (int k = 0; call && k < call->argument_count; k++)
            visit(l, call->arguments[k].variable);
    }
}

static void use_dynamic(struct link *l, const struct ptx_variable *v)
{
    if (v && v->space == SPACE_SHARED && v->is_extern && !placed(l, v))
        place_variable(l, v, l->image->dynamic_at);
}

static void layout_shared(struct link *l)
{
    for (int i = 0; i < l->image->code_count; i++)
        each_variable(l, l->image->codes[i]->function, use_shared);
    l->image->dynamic_at = (uint32_t)align_up(l->image->static_shared, 16);
    for (int i = 0; i < l->image->code_count; i++)
        each_variable(l, l->image->codes[i]->function, use_dynamic);
    for (int i = 0; i < l->layout_count; i++) /* dynamic memory in use? */
        if (l->layout[i].variable->is_extern)
            l->image->static_shared = l->image->dynamic_at;
}

/* For messages: what lies where in shared memory. */
static void list_shared(struct link *l)
{
    struct image *image = l->image;
    image->shared = arena_array(&image->arena, (size_t)l->layout_count + 1,
                                sizeof *image->shared);
    for (int i = 0; i < l->layout_count; i++) {
        const struct ptx_variable *v = l->layout[i].variable;
        if (v->space == SPACE_SHARED)
            image->shared[image->shared_count++] = (struct shared_variable){
                v, (uint32_t)l->layout[i].at, (uint32_t)v->bytes, 0};
    }
    image->functions = arena_array(&image->arena, (size_t)image->code_count,
                                   sizeof *image->functions);
    for (int i = 0; i < image->code_count; i++)
        image->functions[i] = image->codes[i]->function;
}

static bool layout_local(struct link *l, struct code *code)
{
    const struct ptx_function *f = code->function;
    uint64_t local = 0;
    for (int i = 0; i < f->variable_count; i++) {
        const struct ptx_variable *v = f->variables[i];
        if (v->space != SPACE_LOCAL)
            continue;
        local = align_up(local, (uint64_t)v->align);
        place_variable(l, v, local);
        if (v->bytes > MAX_LOCAL || (local += v->bytes) > MAX_LOCAL)
            return error_set(l->error,
                             "%s: local variables take more than "
                             "%d bytes a thread",
                             f->name, MAX_LOCAL);
    }
    code->local_bytes = (uint32_t)align_up(local, 16);
    return true;
}

static void layout_params(struct link *l, const struct ptx_function *kernel)
{
    uint64_t at = 0;
    for (int i = 0; i < kernel->param_count; i++) {
        const struct ptx_variable *v = kernel->params[i];
        at = align_up(at, (uint64_t)v->align);
        place_variable(l, v, at);
        at += v->bytes;
    }
}

/* Local bytes a thread needs from here on: the longest chain of calls, or a
 * whole stack if functions call themselves. */
static uint32_t chain_bytes(const struct link *l, struct code *code)
{
    if (code->chain == CHAIN_OPEN)
        return STACK_BYTES;
    if (code->chain)
        return code->chain - 1;
    uint64_t most = 0;
    code->chain = CHAIN_OPEN;
    for (int i = 0; i < code->function->insn_count; i++) {
        const struct ptx_call *call = code->function->insns[i].call;
        if (call && !call->callee) /* by pointer: it may be any function */
            most = STACK_BYTES;
        if (!call || !call->callee || !call->callee->has_body)
            continue;
        uint64_t bytes = chain_bytes(l, link_code(l, call->callee));
        if (bytes > most)
            most = bytes;
    }
    most += code->local_bytes;
    code->chain = (uint32_t)(most < MAX_LOCAL ? most : MAX_LOCAL) + 1;
    return code->chain - 1;
}

/* ---- frames -----------------------------------------------------------------*/

static void layout_frame(struct link *l, struct code *code)
{
    const struct ptx_function *f = code->function;
    uint32_t at = 0;
    code->places = arena_array(&l->image->arena, (size_t)f->register_count + 1,
                               sizeof *code->places);
    for (int i = 0; i < f->register_count; i++)
        if (f->registers[i].type == PTX_PRED) {
            code->places[i] = at;
            at += 4;
            code->predicate_count++;
        }
    at = (uint32_t)align_up(at, 64);
    for (int i = 0; i < f->register_count; i++) {
        int bytes = ptx_type_bytes(f->registers[i].type);
        if (f->registers[i].type == PTX_PRED)
            continue;
        code->places[i] = at;
        at += bytes == 8 ? 8 * WARP_LANES : 4 * WARP_LANES;
    }
    code->scratch = at; /* destinations that are _ */
    code->frame_bytes = code->areas_at = at + 8 * WARP_LANES;
}

static struct param_area area_new(struct code *code,
                                  const struct ptx_variable *v)
{
    struct param_area a = {code->frame_bytes,
                           (uint32_t)align_up(v->bytes ? v->bytes : 8, 8),
                           false};
    code->frame_bytes += a.bytes * WARP_LANES;
    return a;
}

/* A register is an area of its own: 32 lanes of 4 or 8 bytes. */
static struct param_area area_of(struct code *code,
                                 const struct ptx_variable *v)
{
    if (!v->in_register)
        return area_new(code, v);
    return (struct param_area){code->places[v->reg], v->bytes == 8 ? 8 : 4,
                               v->bytes == 2};
}

static bool layout_areas(struct link *l, struct code *code)
{
    const struct ptx_function *f = code->function;
    code->params = arena_array(&l->image->arena, (size_t)f->param_count + 1,
                               sizeof *code->params);
    code->areas = arena_array(&l->image->arena, (size_t)f->variable_count + 1,
                              sizeof *code->areas);
    for (int i = 0; !f->is_entry && i < f->param_count; i++) {
        if (f->params[i]->bytes > 4096)
            return error_set(l->error, "%s: parameter %d is too large", f->name,
                             i);
        code->params[i] = area_of(code, f->params[i]);
    }
    if (f->result_count)
        code->result = area_of(code, f->results[0]);
    for (int i = 0; i < f->variable_count; i++) {
        const struct ptx_variable *v = f->variables[i];
        if (v->space != SPACE_PARAM)
            continue;
        if (v->bytes > 4096 || code->frame_bytes > (16u << 20))
            return error_set(l->error, "%s: too many parameters", f->name);
        code->areas[i] = area_new(code, v);
    }
    return true;
}

const struct param_area *link_area(const struct link *l,
                                   const struct ptx_variable *v)
{
    const struct ptx_function *f = l->function;
    for (int i = 0; !f->is_entry && i < f->param_count; i++)
        if (f->params[i] == v)
            return &l->code->params[i];
    if (f->result_count && f->results[0] == v)
        return &l->code->result;
    if (v->space == SPACE_PARAM && v->function == f &&
        v->index < f->variable_count && f->variables[v->index] == v)
        return &l->code->areas[v->index];
    return NULL;
}

/* ---- constants --------------------------------------------------------------*/

struct constant {
    uint64_t bits;
    int bytes;
    const void *lanes;
    struct constant *next;
};

const void *link_constant(struct link *l, uint64_t bits, int bytes)
{
    if (bytes == 4)
        bits &= 0xffffffffu;
    for (struct constant *c = l->constants; c; c = c->next)
        if (c->bits == bits && c->bytes == bytes)
            return c->lanes;
    struct constant *c = arena_alloc(&l->image->arena, sizeof *c);
    uint8_t *lanes = arena_alloc(&l->image->arena, 8 * WARP_LANES);
    for (int i = 0; i < WARP_LANES; i++)
        memcpy(lanes + (size_t)i * (size_t)bytes, &bits, (size_t)bytes);
    *c = (struct constant){bits, bytes, lanes, l->constants};
    l->constants = c;
    return lanes;
}

/* ---- functions --------------------------------------------------------------*/

/* Registers that may be read before they are written get garbage in every new
 * frame, so that no kernel works by luck and every run is the same. */
static void note_poison(struct link *l, const struct ptx_usage *usage)
{
    const struct ptx_function *f = l->function;
    struct code *code = l->code;
    bool *seen =
        arena_array(&l->image->arena, (size_t)f->register_count + 1, 1);
    code->poison = arena_array(&l->image->arena, (size_t)usage->unset_count + 1,
                               sizeof *code->poison);
    if (usage->skipped) { /* any of them may be read */
        code->poison[code->poison_count++] = (struct poison){0, code->scratch};
        return;
    }
    for (int i = 0; i < usage->unset_count; i++) {
        int reg = usage->unset[i].reg;
        if (seen[reg])
            continue;
        seen[reg] = true;
        int bytes = ptx_type_bytes(f->registers[reg].type);
        code->poison[code->poison_count++] = (struct poison){
            code->places[reg],
            bytes == 0 ? 4 : (uint32_t)(bytes == 8 ? 8 : 4) * WARP_LANES};
    }
}

/* A guarded instruction of this kind would leave its warp half inside: it is
 * jumped over instead. */
static bool needs_skip(const struct ptx_insn *insn)
{
    if (insn->guard < 0)
        return false;
    switch (insn->op) {
    case OP_CALL:
    case OP_BAR:
    case OP_BARRIER:
    case OP_SHFL:
    case OP_VOTE:
    case OP_MATCH:
    case OP_REDUX:
    case OP_ELECT:
    case OP_BRX:
    case OP_ACTIVEMASK:
    case OP_TRAP:
    case OP_BRKPT: return true;
    default: return false;
    }
}

/* Where lanes meet: targets of `reconverge`, and after calls and skips. */
static bool *find_joins(struct link *l)
{
    const struct ptx_function *f = l->function;
    bool *join = arena_array(&l->image->arena, (size_t)f->insn_count + 2, 1);
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        if (insn->op == OP_BRA || insn->op == OP_BRX)
            join[insn->reconverge] = true;
        if (insn->op == OP_CALL || needs_skip(insn))
            join[i + 1] = true;
    }
    join[f->insn_count] = true;
    return join;
}

static int place_code(struct link *l, const bool *join)
{
    const struct ptx_function *f = l->function;
    int at = 0;
    l->entry = arena_array(&l->image->arena, (size_t)f->insn_count + 2,
                           sizeof *l->entry);
    for (int i = 0; i < f->insn_count; i++) {
        l->entry[i] = at;
        at += 1 + join[i] + needs_skip(&f->insns[i]);
    }
    l->entry[f->insn_count] = at;
    return at + 2; /* a last join and the return at the end */
}

static struct code_insn plain(enum exec exec, int index)
{
    return (struct code_insn){
        .exec = (uint8_t)exec, .guard = -1, .index = index, .synthetic = true};
}

static bool link_function(struct link *l, struct code *code)
{
    const struct ptx_function *f = code->function;
    l->code = code;
    l->function = f;
    struct ptx_usage usage = ptx_register_usage(&l->image->arena, f);
    l->result_unused = usage.result_unused;
    note_poison(l, &usage);
    const bool *join = find_joins(l);
    code->count = place_code(l, join);
    code->insns =
        arena_array(&l->image->arena, (size_t)code->count, sizeof *code->insns);
    struct code_insn *to = code->insns;
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        bool skip = needs_skip(insn);
        if (join[i])
            *to++ = plain(X_JOIN, i);
        if (skip) {
            *to = plain(X_BRANCH, i);
            to->insn = insn;
            to->guard = (int16_t)(code->places[insn->guard] / 4);
            to->guard_invert = insn->guard_negated ? 0 : ALL_LANES;
            to->target = l->entry[i + 1];
            to->reconverge =
                l->entry[insn->op == OP_BRX ? insn->reconverge : i + 1];
            to++;
        }
        *to = (struct code_insn){.guard = -1, .index = i, .insn = insn};
        if (insn->guard >= 0 && !skip) {
            to->guard = (int16_t)(code->places[insn->guard] / 4);
            to->guard_invert = insn->guard_negated ? ALL_LANES : 0;
        }
        if (!link_insn(l, insn, to++))
            return false;
    }
    *to++ = plain(X_JOIN, f->insn_count);
    *to = plain(X_RET, f->insn_count - 1);
    if (f->insn_count)
        to->insn = &f->insns[f->insn_count - 1];
    return true;
}

static bool link_image(struct link *l, const struct ptx_function *kernel)
{
    struct image *image = l->image;
    if (!collect(l, kernel))
        return false;
    for (int i = 0; i < image->code_count; i++)
        if (image->codes[i]->function->missing)
            return error_set(l->error, "%s",
                             image->codes[i]->function->missing);
    layout_shared(l);
    list_shared(l);
    link_elements(l);
    layout_params(l, kernel);
    for (int i = 0; i < image->code_count; i++) {
        struct code *code = image->codes[i];
        layout_frame(l, code);
        if (code->predicate_count > 30000 || code->frame_bytes > (64u << 20))
            return error_set(l->error, "%s: too many registers",
                             code->function->name);
        if (!layout_local(l, code) || !layout_areas(l, code))
            return false;
    }
    image->local_bytes = (uint32_t)chain_bytes(l, image->codes[0]);
    for (int i = 0; i < image->code_count; i++)
        if (!link_function(l, image->codes[i]))
            return false;
    return true;
}

struct image *module_image(struct module *m, const struct ptx_function *kernel,
                           struct error *e)
{
    for (struct image *i = m->images; i; i = i->next)
        if (i->kernel == kernel)
            return i;
    struct link l = {.module = m, .error = e};
    l.image = checked_alloc(sizeof *l.image);
    l.image->kernel = kernel;
    bool ok = link_image(&l, kernel);
    free(l.layout);
    free(l.tables);
    if (!ok) {
        arena_free(&l.image->arena);
        free(l.image);
        return NULL;
    }
    l.image->next = m->images;
    m->images = l.image;
    return l.image;
}
