/* A program in memory: its global and constant variables become buffers. */
#include "sim/link.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool in_memory(const struct ptx_variable *v)
{
    return v->space == SPACE_GLOBAL || v->space == SPACE_CONST;
}

static bool add_variable(struct module *m, const struct ptx_variable *v,
                         struct error *e)
{
    if (!in_memory(v))
        return true;
    char name[200]; /* for messages, so it may be cut */
    int length;
    const char *source_name = ptx_source_name(v->name, &length);
    snprintf(name, sizeof name, "%.*s", length, source_name);
    struct buffer *b = memory_add_zeroed(
        m->memory, name, v->bytes,
        v->space == SPACE_CONST ? BUFFER_CONSTANT : BUFFER_DATA, e);
    if (!b)
        return false;
    b->element = link_usual_element(v);
    if (v->initial)
        memcpy(b->data, v->initial, v->bytes);
    m->inner = checked_realloc(m->inner,
                               (size_t)(m->inner_count + 1) * sizeof *m->inner);
    m->inner[m->inner_count].variable = v;
    m->inner[m->inner_count].smallest = 0;
    m->inner[m->inner_count++].buffer = b;
    return true;
}

struct buffer *module_buffer(const struct module *m,
                             const struct ptx_variable *v)
{
    for (int i = 0; i < m->inner_count; i++)
        if (m->inner[i].variable == v)
            return m->inner[i].buffer;
    return NULL;
}

static uint64_t function_address(const struct ptx_program *program,
                                 const struct ptx_function *f)
{
    for (int i = 0; i < program->function_count; i++)
        if (program->functions[i] == f)
            return CODE_WINDOW + 16 * (uint64_t)i;
    return 0;
}

/* Addresses inside initialisers. */
static void relocate(struct module *m)
{
    for (int i = 0; i < m->inner_count; i++) {
        const struct ptx_variable *v = m->inner[i].variable;
        assert(m->inner[i].buffer); /* all of them are there by now */
        for (int k = 0; k < v->relocation_count; k++) {
            const struct ptx_relocation *r = &v->relocations[k];
            struct buffer *to =
                r->variable ? module_buffer(m, r->variable) : NULL;
            uint64_t address = (to ? to->address : 0) + (uint64_t)r->offset;
            if (r->function)
                address += function_address(m->program, r->function);
            if (r->at + 8 <= v->bytes)
                memcpy(m->inner[i].buffer->data + r->at, &address, 8);
        }
    }
}

struct module *module_load(const struct ptx_program *program,
                           struct memory *memory, struct error *e)
{
    struct module *m = checked_alloc(sizeof *m);
    bool ok = true;
    m->program = program;
    m->memory = memory;
    for (int i = 0; ok && i < program->variable_count; i++)
        ok = add_variable(m, program->variables[i], e);
    for (int f = 0; ok && f < program->function_count; f++) {
        const struct ptx_function *fn = program->functions[f];
        for (int i = 0; ok && i < fn->variable_count; i++)
            ok = add_variable(m, fn->variables[i], e);
    }
    ok = ok &&
         (m->params = memory_add(memory, "parameters", PARAMS_BYTES,
                                 BUFFER_CONSTANT, e)) &&
         (m->workspace =
              memory_add(memory, "grid workspace", 256, BUFFER_DATA, e));
    if (!ok) {
        module_free(m);
        return NULL;
    }
    memset(m->workspace->data, 0, m->workspace->bytes);
    relocate(m);
    return m;
}

void module_free(struct module *m)
{
    while (m->images) {
        struct image *i = m->images;
        m->images = i->next;
        arena_free(&i->arena);
        free(i);
    }
    for (int i = 0; i < m->inner_count; i++)
        memory_free(m->memory, m->inner[i].buffer);
    if (m->params)
        memory_free(m->memory, m->params);
    if (m->workspace)
        memory_free(m->memory, m->workspace);
    free(m->inner);
    free(m);
}

bool module_can_run(struct module *m, const struct ptx_function *kernel,
                    struct error *e)
{
    return module_image(m, kernel, e) != NULL;
}

uint32_t module_static_shared(const struct module *m,
                              const struct ptx_function *kernel)
{
    struct error ignored;
    const struct image *i =
        module_image((struct module *)(uintptr_t)m, kernel, &ignored);
    return i ? i->static_shared : 0;
}
