/* Warnings from the program's text.  See suspicious.h. */
#include "watch/suspicious.h"

#include "ptx/flow.h"
#include "watch/name.h"

#include <stdlib.h>
#include <string.h>

static void warn(struct teller *t, const struct ptx_function *function,
                 const struct ptx_insn *insn, const char *message,
                 const char *hint)
{
    struct event ev = {.function = function, .insn = insn};
    struct finding f = teller_place("suspicious", &ev, NULL);
    f.severity = SEVERITY_WARNING;
    f.message = (char *)(uintptr_t)message;
    f.hint = (char *)(uintptr_t)hint;
    f.count = 1;
    if (finding_index(t->findings, &f) < 0)
        finding_add(t->findings, &f);
}

/* Does the instruction come from one of the libraries, inlined or not? */
static bool is_library(const struct ptx_function *f,
                       const struct ptx_insn *insn)
{
    const struct ptx_program *p = f->program;
    for (int at = insn->location; at >= 0; at = p->locations[at].inlined_at) {
        int file = p->locations[at].file;
        if (file >= 0 && (strstr(p->files[file], "cooperative_groups") ||
                          strstr(p->files[file], "cub/")))
            return true;
    }
    return false;
}

/* ---- masks from __activemask() ----------------------------------------------*/

static bool is_copy(const struct ptx_insn *insn)
{
    return insn->op == OP_MOV && insn->operand[1].kind == OPERAND_REGISTER;
}

/* The register holds what activemask gave, copied at most. */
static void find_active(const struct ptx_function *f, bool *active)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (int i = 0; i < f->insn_count; i++) {
            const struct ptx_insn *insn = &f->insns[i];
            bool is = insn->op == OP_ACTIVEMASK ||
                      (is_copy(insn) && active[insn->operand[1].reg]);
            if (!is || active[insn->operand[0].reg] || is_library(f, insn))
                continue;
            active[insn->operand[0].reg] = changed = true;
        }
    }
}

static void find_active_masks(struct teller *t, const struct ptx_function *f)
{
    bool *active = checked_alloc((size_t)f->register_count + 1);
    find_active(f, active);
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        const struct ptx_operand *mask =
            &insn->operand[insn->operand_count ? insn->operand_count - 1 : 0];
        if (insn->op != OP_SHFL || insn->mode == MODE_IDX ||
            mask->kind != OPERAND_REGISTER || !active[mask->reg])
            continue;
        warn(t, f, insn,
             "the mask of this shuffle is __activemask(): which lanes that "
             "are is up to the hardware, and may be fewer than take the "
             "branch",
             "name the lanes that the program means: 0xffffffff outside of "
             "branches, or __ballot_sync(0xffffffff, condition) before one");
    }
    free(active);
}

/* ---- atomicCAS without a look at the answer -----------------------------------*/

/* Is there a way from the instruction back to itself? */
static bool is_in_loop(const struct ptx_function *f, int at)
{
    for (int i = at; i < f->insn_count; i++)
        if (f->insns[i].op == OP_BRA &&
            f->insns[i].operand[0].kind == OPERAND_LABEL &&
            f->insns[i].operand[0].target <= at)
            return true;
    return false;
}

static void find_ignored(struct teller *t, const struct ptx_function *f)
{
    struct arena arena = {0};
    struct ptx_usage usage = {0};
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        if (insn->op != OP_ATOM || insn->atomic != ATOMIC_CAS ||
            !is_in_loop(f, i))
            continue;
        if (!usage.result_unused)
            usage = ptx_register_usage(&arena, f);
        if (!usage.result_unused[i] &&
            insn->operand[0].kind != OPERAND_SINK)
            continue;
        warn(t, f, insn,
             "nobody looks at what this atomicCAS() in a loop answers: it "
             "does nothing when another thread was faster",
             "it gives the old value back; the exchange happened only if that "
             "is the value that was expected, else try again with it");
    }
    arena_free(&arena);
}

/* ---- the watcher ---------------------------------------------------------------*/

static void end(struct watcher *watcher)
{
    struct teller *t = (struct teller *)watcher;
    for (int k = 0; k < t->info->function_count; k++) {
        find_active_masks(t, t->info->functions[k]);
        find_ignored(t, t->info->functions[k]);
    }
    teller_end(watcher);
}

struct watcher *suspicious_watcher(struct finding_list *list)
{
    struct teller *t =
        teller_new(sizeof *t, sizeof(struct teller_block), "suspicious", 0,
                   NULL, list);
    t->watcher.block_begin = NULL;
    t->watcher.event = NULL;
    t->watcher.block_end = NULL;
    t->watcher.end = end;
    return &t->watcher;
}
