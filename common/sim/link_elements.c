/* How large the elements of arrays are, for messages.
 *
 * Compilers declare every array as bytes.  What a kernel reads and writes in
 * an array says more: the smallest access to it, vectors as a whole. */
#include "sim/link.h"

#include "ptx/origin.h"

static uint32_t smaller(uint32_t known, uint32_t bytes)
{
    return bytes && (!known || bytes < known) ? bytes : known;
}

static void look_at(struct link *l, const struct ptx_variable *v,
                    uint32_t bytes)
{
    if (ptx_type_bytes(v->type) > 1)
        return; /* declared as what it is */
    for (int i = 0; i < l->image->shared_count; i++) {
        struct shared_variable *s = &l->image->shared[i];
        if (s->variable == v)
            s->element = smaller(s->element, bytes);
    }
    for (int i = 0; i < l->module->inner_count; i++) {
        if (l->module->inner[i].variable != v)
            continue;
        uint32_t *smallest = &l->module->inner[i].smallest;
        *smallest = smaller(*smallest, bytes);
        l->module->inner[i].buffer->element = *smallest;
    }
}

static void look_at_function(struct link *l, const struct ptx_function *f)
{
    struct arena arena = {0};
    const struct ptx_variable **origins = ptx_origins(&arena, f);
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        int vector = insn->vector ? insn->vector : 1;
        if (origins[i] && ptx_type_bytes(insn->type))
            look_at(l, origins[i],
                    (uint32_t)(ptx_type_bytes(insn->type) * vector));
    }
    arena_free(&arena);
}

uint32_t link_usual_element(const struct ptx_variable *v)
{
    int declared = ptx_type_bytes(v->type);
    if (declared > 1)
        return (uint32_t)declared;
    return v->bytes % 4 ? 1 : 4;
}

void link_elements(struct link *l)
{
    struct image *image = l->image;
    for (int c = 0; c < image->code_count; c++)
        look_at_function(l, image->codes[c]->function);
    for (int i = 0; i < image->shared_count; i++)
        if (!image->shared[i].element)
            image->shared[i].element =
                link_usual_element(image->shared[i].variable);
}
