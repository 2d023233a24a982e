/* The list of findings.  See finding.h. */
#include "watch/finding.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

static char *copy_of(const char *text)
{
    if (!text)
        return NULL;
    size_t size = strlen(text) + 1;
    return memcpy(checked_alloc(size), text, size);
}

/* strcmp where NULL comes first. */
static int compare_text(const char *a, const char *b)
{
    if (!a || !b)
        return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

/* Who of a race comes first depends on the schedule: its lines have no order. */
static void lines_of(const struct finding *f, int *low, int *high)
{
    bool is_swapped = f->has_other && f->other_line < f->line;
    *low = is_swapped ? f->other_line : f->line;
    *high = is_swapped ? f->line : f->other_line;
}

/* By place; 0 for findings that are to be merged. */
static int compare_place(const struct finding *a, const struct finding *b)
{
    int a_low, a_high, b_low, b_high;
    int order = compare_text(a->file, b->file);
    lines_of(a, &a_low, &a_high);
    lines_of(b, &b_low, &b_high);
    if (!order)
        order = (a_low > b_low) - (a_low < b_low);
    if (!order)
        order = (a_high > b_high) - (a_high < b_high);
    if (!order)
        order = compare_text(a->kind, b->kind);
    return order ? order : (int)a->depends_on - (int)b->depends_on;
}

int finding_index(const struct finding_list *list, const struct finding *f)
{
    for (int i = 0; i < list->count; i++)
        if (compare_place(&list->items[i], f) == 0)
            return i;
    return -1;
}

static void copy_words(struct finding *to, const struct finding *f)
{
    *to = *f;
    to->file = copy_of(f->file);
    to->message = copy_of(f->message);
    to->hint = copy_of(f->hint);
}

static void free_words(struct finding *f)
{
    free(f->file);
    free(f->message);
    free(f->hint);
}

void finding_add(struct finding_list *list, const struct finding *f)
{
    uint64_t count = f->count ? f->count : 1;
    int known = finding_index(list, f);

    if (known >= 0) {
        struct finding *mine = &list->items[known];
        count += mine->count;
        if (f->weight > mine->weight) {
            free_words(mine);
            copy_words(mine, f);
        }
        mine->count = count;
        return;
    }
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 8;
        list->items = checked_realloc(list->items, (size_t)list->capacity *
                                                       sizeof *list->items);
    }
    struct finding *mine = &list->items[list->count++];
    copy_words(mine, f);
    mine->count = count;
}

void finding_join(struct finding_list *list, const struct finding_list *from)
{
    for (int i = 0; i < from->count; i++)
        finding_add(list, &from->items[i]);
}

/* Causes before what they lead to. */
static int rank(const struct finding *f)
{
    static const char *const order[] = {"trap",
                                        "out-of-bounds",
                                        "misaligned",
                                        "input-written",
                                        "barrier-divergence",
                                        "bad-sync-mask",
                                        "no-progress",
                                        "race",
                                        "uninitialized",
                                        "coverage"};
    int count = sizeof order / sizeof *order;
    for (int i = 0; i < count; i++)
        if (!compare_text(f->kind, order[i]))
            return i;
    return count;
}

static int compare_findings(const void *a, const void *b)
{
    const struct finding *x = a, *y = b;
    if (x->severity != y->severity)
        return x->severity < y->severity ? -1 : 1;
    if (rank(x) != rank(y))
        return rank(x) - rank(y);
    return compare_place(x, y);
}

void finding_sort(struct finding_list *list)
{
    if (list->count > 1)
        qsort(list->items, (size_t)list->count, sizeof *list->items,
              compare_findings);
}

uint32_t finding_doubts(const struct finding_list *list)
{
    uint32_t doubts = 0;
    for (int i = 0; i < list->count; i++)
        if (list->items[i].depends_on)
            doubts |= 1u << list->items[i].depends_on;
    return doubts;
}

/* Does no finding tell of this place already? */
static bool is_new(const struct finding_list *list, const struct finding *f)
{
    struct finding certain = *f;
    certain.depends_on = GARBAGE_NONE;
    return finding_index(list, &certain) < 0;
}

void finding_settle(struct finding_list *list, enum garbage garbage,
                    bool matters)
{
    const enum garbage gone = GARBAGE_KINDS; /* what no finding hangs on */
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        struct finding *f = &list->items[i];
        if (f->depends_on == garbage)
            f->depends_on = matters != f->if_harmless && is_new(list, f)
                                ? GARBAGE_NONE
                                : gone;
    }
    for (int i = 0; i < list->count; i++)
        if (list->items[i].depends_on == gone)
            free_words(&list->items[i]);
        else
            list->items[kept++] = list->items[i];
    list->count = kept;
}

void finding_drop_excuses(struct finding_list *list, bool is_right,
                          bool is_whole)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++) {
        enum excuse only_if = list->items[i].only_if;
        if (only_if && (is_right || (is_whole && only_if == ONLY_IF_FRACTIONS)))
            free_words(&list->items[i]);
        else
            list->items[kept++] = list->items[i];
    }
    list->count = kept;
}

bool finding_has(const struct finding_list *list, const char *kind)
{
    for (int i = 0; i < list->count; i++)
        if (!compare_text(list->items[i].kind, kind))
            return true;
    return false;
}

int finding_errors(const struct finding_list *list)
{
    int errors = 0;
    for (int i = 0; i < list->count; i++)
        errors += list->items[i].severity == SEVERITY_ERROR;
    return errors;
}

void finding_free(struct finding_list *list)
{
    for (int i = 0; i < list->count; i++)
        free_words(&list->items[i]);
    free(list->items);
    *list = (struct finding_list){0};
}
