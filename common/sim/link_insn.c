/* One PTX instruction becomes one struct code_insn. */
#include "sim/link.h"

#include <string.h>

static bool refuse(struct link *l, const struct ptx_insn *insn,
                   const char *what)
{
    return ptx_error_at(l->function, insn, l->error, "%s", what);
}

/* ---- operands ----------------------------------------------------------------*/

static struct slot register_place(const struct link *l, int reg)
{
    int bytes = ptx_type_bytes(l->function->registers[reg].type);
    struct slot p = {.at = l->code->places[reg], .narrow = bytes == 2};
    if (bytes)
        p.bytes = bytes == 8 ? 8 : 4;
    return p;
}

static struct slot constant_place(struct link *l, uint64_t bits, int bytes)
{
    struct slot p = {.constant = 1, .bytes = (uint8_t)bytes};
    p.at = (uintptr_t)link_constant(l, bits, bytes);
    return p;
}

/* Registers of 128 bits are the one kind we do not have. */
static bool wide_register(const struct link *l, const struct ptx_operand *o)
{
    if (o->kind == OPERAND_REGISTER && o->reg >= 0)
        return l->function->registers[o->reg].type == PTX_B128;
    for (int i = 0; i < o->element_count; i++)
        if (wide_register(l, &o->elements[i]))
            return true;
    return false;
}

/* An immediate as a lane of `bytes` bytes: 8- and 16-bit ones zero-extended. */
static uint64_t immediate_bits(uint64_t bits, int type_bytes)
{
    return type_bytes < 8 && type_bytes > 0
               ? bits & ((1ull << (8 * type_bytes)) - 1)
               : bits;
}

/* A source that is a register or a constant; type_bytes: what an immediate
 * is.  Predicates come back with bytes 0. */
bool link_place(struct link *l, const struct ptx_insn *insn,
                const struct ptx_operand *o, int type_bytes, struct slot *p)
{
    switch (o->kind) {
    case OPERAND_REGISTER:
        *p = register_place(l, o->reg);
        p->negated = o->negated;
        return true;
    case OPERAND_IMMEDIATE:
        *p = constant_place(l, immediate_bits(o->bits, type_bytes),
                            type_bytes == 8 ? 8 : 4);
        return true;
    case OPERAND_SYMBOL:
        if (!o->variable || o->variable->space == SPACE_LOCAL ||
            link_area(l, o->variable))
            break;
        *p = constant_place(
            l, link_address(l, o->variable) + (uint64_t)o->offset, 8);
        return true;
    case OPERAND_SINK: *p = (struct slot){.sink = true}; return true;
    default: break;
    }
    return refuse(l, insn, "the simulator cannot use such an operand here");
}

void link_set_source(struct code_insn *to, int k, const struct slot *p)
{
    to->src[k] = p->at;
    if (to->sources <= k)
        to->sources = (uint8_t)(k + 1);
    if (p->constant)
        to->constants |= (uint8_t)(1u << k);
    if (k == 0)
        to->a_bytes = p->bytes;
}

bool link_source(struct link *l, const struct ptx_insn *insn,
                 struct code_insn *to, int k, const struct ptx_operand *o,
                 int type_bytes)
{
    struct slot p = {0};
    if (!link_place(l, insn, o, type_bytes, &p))
        return false;
    if (!p.bytes)
        return refuse(l, insn, "a predicate cannot stand here");
    link_set_source(to, k, &p);
    return true;
}

/* A predicate source; an immediate is true or false for all lanes. */
bool link_predicate(struct link *l, const struct ptx_insn *insn,
                    const struct ptx_operand *o, struct slot *p)
{
    if (o->kind == OPERAND_IMMEDIATE) {
        *p = (struct slot){.constant = 1, .at = o->bits ? ALL_LANES : 0};
        p->negated = o->negated;
        return true;
    }
    if (o->kind != OPERAND_REGISTER ||
        l->function->registers[o->reg].type != PTX_PRED)
        return refuse(l, insn, "a predicate is wanted here");
    *p = register_place(l, o->reg);
    p->negated = o->negated;
    return true;
}

bool link_destination(struct link *l, const struct ptx_insn *insn,
                      struct code_insn *to, const struct ptx_operand *o)
{
    if (o->kind == OPERAND_SINK) { /* a register nobody reads */
        to->d_bytes = 8;
        to->d = l->code->scratch;
        return true;
    }
    if (o->kind != OPERAND_REGISTER)
        return refuse(l, insn, "the destination must be a register");
    struct slot p = register_place(l, o->reg);
    to->d = (uint32_t)p.at;
    to->d_bytes = p.bytes;
    return true;
}

void link_second(struct link *l, const struct ptx_insn *insn,
                 struct code_insn *to)
{
    to->d2 = insn->second.kind == OPERAND_REGISTER
                 ? register_place(l, insn->second.reg)
                 : (struct slot){.sink = true};
}

/* The elements of a vector, or the one register. */
static bool set_elements(struct link *l, const struct ptx_insn *insn,
                         struct code_insn *to, const struct ptx_operand *o,
                         int type_bytes)
{
    int count = o->kind == OPERAND_VECTOR ? o->element_count : 1;
    to->vector = (uint8_t)count;
    to->elements =
        arena_array(&l->image->arena, (size_t)count, sizeof *to->elements);
    for (int i = 0; i < count; i++) {
        struct slot *p = &to->elements[i];
        if (!link_place(l, insn,
                        o->kind == OPERAND_VECTOR ? &o->elements[i] : o,
                        type_bytes, p))
            return false;
        if (!p->bytes && !p->sink)
            return refuse(l, insn, "a predicate cannot stand here");
    }
    return true;
}

/* ---- arithmetic ---------------------------------------------------------------*/

/* Bytes of an immediate as source k (0 = a). */
static int source_bytes(const struct ptx_insn *insn, int k)
{
    int bytes = ptx_type_bytes(insn->type);
    switch (insn->op) {
    case OP_SHL:
    case OP_SHR:
    case OP_SZEXT: return k ? 4 : bytes;
    case OP_BFE: return k ? 4 : bytes;
    case OP_BFI: return k > 1 ? 4 : bytes;
    case OP_SHF:
    case OP_LOP3:
    case OP_PRMT:
    case OP_FNS:
    case OP_BMSK:
    case OP_DP4A:
    case OP_DP2A: return 4;
    case OP_MAD: return k == 2 && (insn->flags & FLAG_WIDE) ? 2 * bytes : bytes;
    case OP_CVT:
    case OP_SET: return ptx_type_bytes(insn->type2);
    case OP_SLCT: return k == 2 ? ptx_type_bytes(insn->type2) : bytes;
    default: return bytes;
    }
}

static bool link_logic(struct link *l, const struct ptx_insn *insn,
                       struct code_insn *to)
{
    int count = insn->operand_count - 1;
    to->exec = X_LOGIC;
    to->vector = (uint8_t)count;
    to->elements = arena_array(&l->image->arena, 2, sizeof *to->elements);
    for (int k = 0; k < count && k < 2; k++)
        if (!link_predicate(l, insn, &insn->operand[k + 1], &to->elements[k]))
            return false;
    return link_destination(l, insn, to, &insn->operand[0]);
}

static bool link_select(struct link *l, const struct ptx_insn *insn,
                        struct code_insn *to)
{
    int bytes = ptx_type_bytes(insn->type);
    to->exec = X_SELP;
    return link_destination(l, insn, to, &insn->operand[0]) &&
           link_source(l, insn, to, 0, &insn->operand[1], bytes) &&
           link_source(l, insn, to, 1, &insn->operand[2], bytes) &&
           link_predicate(l, insn, &insn->operand[3], &to->p);
}

/* What alu_find wants to know: 16-bit registers keep their upper half 0. */
static int destination_bytes(const struct link *l, const struct ptx_insn *insn)
{
    const struct ptx_operand *d = &insn->operand[0];
    if (d->kind != OPERAND_REGISTER)
        return ptx_type_bytes(insn->type) == 8 ? 8 : 4;
    int bytes = ptx_type_bytes(l->function->registers[d->reg].type);
    return bytes ? bytes : 4;
}

static bool link_alu(struct link *l, const struct ptx_insn *insn,
                     struct code_insn *to)
{
    int sources = insn->operand_count - 1;
    bool compares = insn->op == OP_SETP || insn->op == OP_SET;
    if (insn->type == PTX_PRED)
        return link_logic(l, insn, to);
    if (insn->op == OP_SELP)
        return link_select(l, insn, to);
    if (compares && sources > 2) {
        if (!link_predicate(l, insn, &insn->operand[3], &to->p))
            return false;
        sources = 2;
    }
    if (!link_destination(l, insn, to, &insn->operand[0]))
        return false;
    link_second(l, insn, to);
    for (int k = 0; k < sources && k < 4; k++)
        if (!link_source(l, insn, to, k, &insn->operand[k + 1],
                         source_bytes(insn, k)))
            return false;
    struct alu alu = alu_find(insn, destination_bytes(l, insn), to->a_bytes);
    switch (alu.kind) {
    case ALU_VALUE:
        to->exec = X_VALUE;
        to->value = alu.value;
        if (alu.constant) {
            struct slot p = constant_place(l, alu.constant, 8);
            link_set_source(to, 3, &p);
        }
        return true;
    case ALU_COMPARE:
        to->exec = insn->op == OP_SET ? X_SET : X_COMPARE;
        to->compare = alu.compare;
        to->compare_second = alu_find_second(insn).compare;
        return true;
    case ALU_CARRY:
        to->exec = X_CARRY;
        to->carry = alu.carry;
        return true;
    default: return refuse(l, insn, "the simulator does not have this form");
    }
}

static struct slot link_function_address(struct link *l,
                                         const struct ptx_function *f)
{
    const struct ptx_program *program = l->module->program;
    for (int i = 0; f && f->has_body && i < program->function_count; i++)
        if (program->functions[i] == f)
            return constant_place(l, CODE_WINDOW + 16 * (uint64_t)i, 8);
    return (struct slot){0};
}

/* ---- moves --------------------------------------------------------------------*/

static bool link_symbol(struct link *l, const struct ptx_insn *insn,
                        struct code_insn *to, uint64_t window)
{
    const struct ptx_operand *o = &insn->operand[1];
    if (!o->variable) {
        struct slot f = link_function_address(l, o->function);
        link_set_source(to, 0, &f);
        to->exec = X_MOV;
        return f.at || refuse(l, insn, "this function has no address");
    }
    if (o->variable->space == SPACE_LOCAL) {
        to->exec = X_LOCAL_ADDRESS;
        to->offset =
            (int64_t)(link_address(l, o->variable) + window) + o->offset;
        return true;
    }
    const struct param_area *area = link_area(l, o->variable);
    uint64_t address = link_address(l, o->variable) + (uint64_t)o->offset;
    if (area) {
        ptrdiff_t which = area - l->code->params;
        if (which < 0 || which >= l->function->param_count)
            return refuse(l, insn,
                          "the address of an argument or a result "
                          "cannot be taken");
        address =
            PARAM_WINDOW + (uint64_t)which * PARAM_STEP + (uint64_t)o->offset;
    } else if (o->variable->space == SPACE_PARAM) {
        address += l->module->params->address;
    }
    struct slot p =
        constant_place(l, address + window, to->d_bytes == 8 ? 8 : 4);
    link_set_source(to, 0, &p);
    to->exec = X_MOV;
    return true;
}

static bool link_mov(struct link *l, const struct ptx_insn *insn,
                     struct code_insn *to)
{
    const struct ptx_operand *d = &insn->operand[0], *a = &insn->operand[1];
    int bytes = ptx_type_bytes(insn->type);
    to->size = (uint8_t)bytes;
    if (bytes > 8)
        return refuse(l, insn, "128-bit values are not supported");
    if (insn->type == PTX_PRED)
        return link_logic(l, insn, to);
    if (d->kind == OPERAND_VECTOR) {
        to->exec = X_UNPACK;
        return set_elements(l, insn, to, d, bytes / d->element_count) &&
               link_source(l, insn, to, 0, a, bytes);
    }
    if (!link_destination(l, insn, to, d))
        return false;
    if (a->kind == OPERAND_VECTOR) {
        to->exec = X_PACK;
        return set_elements(l, insn, to, a, bytes / a->element_count);
    }
    if (a->kind == OPERAND_SPECIAL) {
        to->exec = X_SPECIAL;
        return true;
    }
    if (a->kind == OPERAND_SYMBOL)
        return link_symbol(l, insn, to, 0);
    to->exec = X_MOV;
    return link_source(l, insn, to, 0, a, bytes);
}

static bool link_cvta(struct link *l, const struct ptx_insn *insn,
                      struct code_insn *to)
{
    uint64_t window = insn->space == SPACE_SHARED  ? SHARED_WINDOW
                      : insn->space == SPACE_LOCAL ? LOCAL_WINDOW
                                                   : 0;
    if (insn->flags & FLAG_TO)
        window = 0 - window;
    if (!link_destination(l, insn, to, &insn->operand[0]))
        return false;
    if (to->d_bytes != 8)
        return refuse(l, insn, "32-bit addresses are not supported");
    if (insn->operand[1].kind == OPERAND_SYMBOL)
        return link_symbol(l, insn, to, window);
    to->exec = window ? X_ADD_WINDOW : X_MOV;
    to->offset = (int64_t)window;
    return link_source(l, insn, to, 0, &insn->operand[1], 8);
}

static bool link_move(struct link *l, const struct ptx_insn *insn,
                      struct code_insn *to)
{
    switch (insn->op) {
    case OP_MOV: return link_mov(l, insn, to);
    case OP_CVTA: return link_cvta(l, insn, to);
    case OP_ISSPACEP:
        to->exec = X_ISSPACEP;
        return link_destination(l, insn, to, &insn->operand[0]) &&
               link_source(l, insn, to, 0, &insn->operand[1], 8);
    default: /* mapa: a cluster is one block here */
        to->exec = X_MOV;
        return link_destination(l, insn, to, &insn->operand[0]) &&
               link_source(l, insn, to, 0, &insn->operand[1], 8);
    }
}

/* ---- memory -------------------------------------------------------------------*/

/* [o]: where the address comes from.  May turn a parameter access into
 * X_PARAM or X_PARAM_AREA. */
static bool link_address_of(struct link *l, const struct ptx_insn *insn,
                            struct code_insn *to, const struct ptx_operand *o,
                            enum ptx_space space)
{
    const struct ptx_variable *v = o->variable;
    const struct param_area *area = v ? link_area(l, v) : NULL;
    uint64_t bytes = (uint64_t)to->size * to->vector;
    to->space = space;
    to->offset = o->offset;
    if (area) {
        to->exec = X_PARAM_AREA;
        to->d = area->at;
        to->target = (int32_t)area->bytes;
        if (o->offset < 0 || (uint64_t)o->offset + bytes > area->bytes)
            return refuse(l, insn, "outside the parameter");
        return true;
    }
    if (v && v->space == SPACE_PARAM) {
        to->exec = X_PARAM;
        to->offset += (int64_t)link_address(l, v);
        if (to->offset < 0 || (uint64_t)to->offset + bytes > PARAMS_BYTES)
            return refuse(l, insn, "outside the parameters");
        return insn->op == OP_LD ||
               refuse(l, insn, "a kernel's parameters cannot be written");
    }
    if (v) {
        struct slot p = constant_place(l, link_address(l, v), 8);
        link_set_source(to, 0, &p);
        to->local_base = v->space == SPACE_LOCAL;
        if (space == SPACE_GENERIC)
            to->space = v->space;
        return true;
    }
    if (o->reg < 0) {
        struct slot p = constant_place(l, 0, 8);
        link_set_source(to, 0, &p);
        return true;
    }
    struct slot p = register_place(l, o->reg);
    if (!p.bytes)
        return refuse(l, insn, "an address cannot be a predicate");
    link_set_source(to, 0, &p);
    return true;
}

/* All elements are ordinary 4-byte registers. */
static bool simple_words(const struct code_insn *to)
{
    for (int k = 0; k < to->vector; k++)
        if (to->elements[k].bytes != 4 || to->elements[k].narrow ||
            to->elements[k].sink)
            return false;
    return to->size == 4 && !to->local_base;
}

static bool link_load(struct link *l, const struct ptx_insn *insn,
                      struct code_insn *to)
{
    to->size = (uint8_t)ptx_type_bytes(insn->type);
    to->is_signed = ptx_type_kind(insn->type) == KIND_SIGNED;
    to->ordered = insn->order != ORDER_WEAK;
    to->exec = X_LOAD;
    if (to->size > 8)
        return refuse(l, insn, "128-bit values are not supported");
    if (!set_elements(l, insn, to, &insn->operand[0], to->size) ||
        !link_address_of(l, insn, to, &insn->operand[1], insn->space))
        return false;
    if (to->exec != X_LOAD || !simple_words(to))
        return true;
    if (to->space == SPACE_SHARED && to->vector == 1) {
        to->exec = X_LOAD_SHARED;
        to->d = (uint32_t)to->elements[0].at;
    } else if (to->space == SPACE_GLOBAL && !to->ordered && to->a_bytes == 8) {
        to->exec = X_LOAD_GLOBAL;
    }
    return true;
}

static bool link_store(struct link *l, const struct ptx_insn *insn,
                       struct code_insn *to)
{
    to->size = (uint8_t)ptx_type_bytes(insn->type);
    to->ordered = insn->order != ORDER_WEAK;
    to->exec = X_STORE;
    if (to->size > 8)
        return refuse(l, insn, "128-bit values are not supported");
    if (!set_elements(l, insn, to, &insn->operand[1], to->size) ||
        !link_address_of(l, insn, to, &insn->operand[0], insn->space))
        return false;
    if (to->exec == X_STORE && to->space == SPACE_SHARED && to->vector == 1 &&
        simple_words(to)) {
        to->exec = X_STORE_SHARED;
        link_set_source(to, 1, &to->elements[0]);
    }
    return true;
}

static bool link_atomic(struct link *l, const struct ptx_insn *insn,
                        struct code_insn *to)
{
    int first = insn->op == OP_ATOM ? 1 : 0; /* index of the address */
    const struct ptx_operand *d = &insn->operand[0];
    to->exec = X_ATOMIC;
    to->size = (uint8_t)ptx_type_bytes(insn->type);
    to->vector = 1;
    to->atomic = alu_atomic_find(insn->atomic, insn->type,
                                 insn->space == SPACE_SHARED ? SPACE_SHARED
                                                             : SPACE_GLOBAL);
    if (!to->atomic || insn->vector > 1)
        return refuse(l, insn, "the simulator does not have this atomic");
    if (first && d->kind == OPERAND_REGISTER) {
        to->answer = !l->result_unused || !l->result_unused[to->index];
        if (!link_destination(l, insn, to, d))
            return false;
    }
    if (!link_address_of(l, insn, to, &insn->operand[first], insn->space))
        return false;
    if (to->exec != X_ATOMIC)
        return refuse(l, insn, "atomics on parameters are not possible");
    for (int k = first + 1; k < insn->operand_count && k < first + 3; k++)
        if (!link_source(l, insn, to, k - first, &insn->operand[k], to->size))
            return false;
    if ((insn->atomic == ATOMIC_CAS) != (to->src[2] != 0))
        return refuse(l, insn, "wrong number of operands");
    return true;
}

static bool link_copy(struct link *l, const struct ptx_insn *insn,
                      struct code_insn *to)
{
    if (insn->operand_count < 3) {
        to->exec = insn->mode == MODE_COMMIT ? X_COPY_COMMIT : X_COPY_WAIT;
        to->from_offset =
            insn->mode == MODE_WAIT ? (int64_t)insn->operand[0].bits : -1;
        return true;
    }
    struct code_insn from = {.size = 1, .vector = 1};
    to->exec = X_COPY_ASYNC;
    to->vector = 1;
    to->size = (uint8_t)insn->operand[2].bits;
    if (to->size != 4 && to->size != 8 && to->size != 16)
        return refuse(l, insn, "cp.async copies 4, 8 or 16 bytes");
    if (!link_address_of(l, insn, to, &insn->operand[0], SPACE_SHARED) ||
        !link_address_of(l, insn, &from, &insn->operand[1], SPACE_GLOBAL))
        return false;
    if (to->exec != X_COPY_ASYNC || to->local_base || from.local_base)
        return refuse(l, insn, "cp.async copies from global to shared memory");
    if (from.a_bytes != 8)
        return refuse(l, insn, "a global address has 64 bits");
    to->src[1] = from.src[0];
    to->constants |= (uint8_t)((from.constants & 1) << 1);
    to->from_offset = from.offset;
    to->p = (struct slot){.constant = 1}; /* nothing is left out */
    if (insn->operand_count < 4)
        return true;
    const struct ptx_operand *rest = &insn->operand[3];
    if (rest->kind == OPERAND_REGISTER &&
        l->function->registers[rest->reg].type == PTX_PRED)
        return link_predicate(l, insn, rest, &to->p);
    return link_source(l, insn, to, 2, rest, 4);
}

static bool link_memory(struct link *l, const struct ptx_insn *insn,
                        struct code_insn *to)
{
    switch (insn->op) {
    case OP_LD:
    case OP_LDU: return link_load(l, insn, to);
    case OP_ST: return link_store(l, insn, to);
    case OP_ATOM:
    case OP_RED: return link_atomic(l, insn, to);
    case OP_CP_ASYNC: return link_copy(l, insn, to);
    default:
        to->exec = X_NOP; /* prefetches */
        return true;
    }
}

bool link_insn(struct link *l, const struct ptx_insn *insn,
               struct code_insn *to)
{
    for (int k = 0; k < insn->operand_count; k++)
        if (wide_register(l, &insn->operand[k]))
            return refuse(l, insn, "128-bit registers are not supported");
    switch (ptx_ops[insn->op].class) {
    case CLASS_ALU: return link_alu(l, insn, to);
    case CLASS_MOVE: return link_move(l, insn, to);
    case CLASS_MEMORY: return link_memory(l, insn, to);
    case CLASS_FLOW: return link_flow(l, insn, to);
    default: return link_sync(l, insn, to);
    }
}
