/* Warnings from the program's text.  See suspicious.h. */
#include "watch/suspicious.h"

#include "ptx/flow.h"
#include "ptx/origin.h"
#include "watch/name.h"
#include "watch/wrap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void warn(struct teller *t, const struct ptx_function *function,
                 const struct ptx_insn *insn, enum excuse only_if,
                 const char *message, const char *hint)
{
    struct event ev = {.function = function, .insn = insn};
    struct finding f = teller_place("suspicious", &ev, NULL);
    f.severity = SEVERITY_WARNING;
    f.message = (char *)(uintptr_t)message;
    f.hint = (char *)(uintptr_t)hint;
    f.count = 1;
    f.only_if = only_if;
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
        warn(t, f, insn, ONLY_ALWAYS,
             "the mask of this shuffle is __activemask(): which lanes that "
             "are is up to the hardware, and may be fewer than take the "
             "branch",
             "name the lanes that the program means: 0xffffffff outside of "
             "branches, or __ballot_sync(0xffffffff, condition) before one");
    }
    free(active);
}

/* ---- atomicCAS without a look at the answer -----------------------------------*/

/* Does a branch lead from behind the instruction back before it? */
static bool is_in_loop(const struct ptx_function *f, int at)
{
    for (int i = at; i < f->insn_count; i++)
        if (f->insns[i].op == OP_BRA &&
            f->insns[i].operand[0].kind == OPERAND_LABEL &&
            f->insns[i].operand[0].target <= at)
            return true;
    return false;
}

/* Without a loop it may be meant as "set it if it is still 0"; not so if the
 * new value was computed. */
static bool looks_like_update(const struct ptx_function *f, int at)
{
    const struct ptx_insn *insn = &f->insns[at];
    return insn->op == OP_ATOM && insn->atomic == ATOMIC_CAS &&
           (insn->operand[3].kind == OPERAND_REGISTER || is_in_loop(f, at));
}

static void find_ignored(struct teller *t, const struct ptx_function *f)
{
    struct arena arena = {0};
    struct ptx_usage usage = {0};
    for (int i = 0; i < f->insn_count; i++) {
        if (!looks_like_update(f, i))
            continue;
        if (!usage.result_unused)
            usage = ptx_register_usage(&arena, f);
        if (!usage.result_unused[i] &&
            f->insns[i].operand[0].kind != OPERAND_SINK)
            continue;
        warn(t, f, &f->insns[i], ONLY_ALWAYS,
             "nobody looks at what this atomicCAS() answers: it does nothing "
             "when another thread was faster",
             "it gives the old value back; the exchange happened only if that "
             "is the value that was expected, else try again with it");
    }
    arena_free(&arena);
}

/* ---- fractions cut off ----------------------------------------------------------*/

static void find_narrowing(struct teller *t, const struct ptx_function *f)
{
    for (int i = 0; i < f->insn_count; i++) {
        const struct ptx_insn *insn = &f->insns[i];
        enum ptx_type_kind to = ptx_type_kind(insn->type);
        if (insn->op != OP_CVT || insn->rounding != ROUND_RZI ||
            ptx_type_kind(insn->type2) != KIND_FLOAT ||
            (to != KIND_SIGNED && to != KIND_UNSIGNED))
            continue;
        warn(t, f, insn, ONLY_IF_FRACTIONS,
             "a float becomes a whole number here and loses its fraction",
             "is there an int (a variable, a parameter, a first value such as "
             "0 instead of 0.0f) where a float is meant?");
    }
}

/* ---- indexes that wrap -----------------------------------------------------------*/

struct wrap_place {
    struct teller *teller;
    const struct ptx_function *function;
};

static void say_wrap(void *data, const struct ptx_insn *insn, enum wrap wrap)
{
    const struct wrap_place *p = data;
    static const char *const messages[] = {
        [WRAP_INDEX] = "this index is computed with 32 bits, and n has 64: "
                       "from 2^32 elements on (of an int 2^31) it begins again "
                       "at 0, so some are added twice and others never",
        [WRAP_LOOP] = "the index of this loop has 32 bits, and n has 64: near "
                      "2^32 elements a step takes it past the end and on from "
                      "0, so the loop does not end",
        [WRAP_N] =
            "n is cut to 32 bits for this comparison: from 2^32 elements "
            "on (of an int 2^31) most are left out",
    };
    if (!is_library(p->function, insn))
        warn(p->teller, p->function, insn, ONLY_ALWAYS, messages[wrap],
             "size_t for n, the index and the step, as in "
             "`size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x`");
}

/* ---- one array under two names ------------------------------------------------------*/

static bool is_dynamic(const struct ptx_variable *v)
{
    return v && v->space == SPACE_SHARED && v->is_extern;
}

static void find_aliases(struct teller *t, const struct ptx_function *f)
{
    struct arena arena = {0};
    const struct ptx_variable **origins = ptx_origins(&arena, f), *first = NULL;
    char message[300];
    for (int i = 0; i < f->insn_count; i++) {
        int lengths[2];
        if (!is_dynamic(origins[i]) || is_library(f, &f->insns[i]))
            continue;
        if (!first)
            first = origins[i];
        if (first == origins[i])
            continue;
        const char *a = ptx_source_name(first->name, &lengths[0]);
        const char *b = ptx_source_name(origins[i]->name, &lengths[1]);
        snprintf(message, sizeof message,
                 "%.*s[] lies at the same place as %.*s[]: all `extern "
                 "__shared__` arrays of a kernel begin at one address",
                 lengths[1], b, lengths[0], a);
        warn(t, f, &f->insns[i], ONLY_IF_WRONG, message,
             "declare one array, and let a pointer to the second part begin "
             "where the first part ends");
        break;
    }
    arena_free(&arena);
}

/* ---- the watcher ---------------------------------------------------------------*/

static void end(struct watcher *watcher)
{
    struct teller *t = (struct teller *)watcher;
    for (int k = 0; k < t->info->function_count; k++) {
        const struct ptx_function *f = t->info->functions[k];
        struct wrap_place place = {t, f};
        find_active_masks(t, f);
        find_ignored(t, f);
        find_narrowing(t, f);
        find_aliases(t, f);
        wrap_find(f, say_wrap, &place);
    }
    teller_end(watcher);
}

struct watcher *suspicious_watcher(struct finding_list *list)
{
    struct teller *t = teller_new(sizeof *t, sizeof(struct teller_block),
                                  "suspicious", 0, NULL, list);
    t->watcher.block_begin = NULL;
    t->watcher.event = NULL;
    t->watcher.block_end = NULL;
    t->watcher.end = end;
    return &t->watcher;
}
