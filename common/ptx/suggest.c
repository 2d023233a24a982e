/* "did you mean ...?": the known word with the fewest changed letters. */
#include "ptx/ops.h"

#include <string.h>

enum { LONGEST = 32, FAR = 99 };

static int least(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

/* Letters to insert, delete or replace and neighbours to swap, or FAR.  rows:
 * the distances of the first i letters of the word to the first j of the
 * text, for the i at hand and the two before it. */
static int distance(const char *word, const char *text, int length)
{
    int rows[3][LONGEST + 1];
    int word_length = (int)strlen(word);

    if (length > LONGEST || word_length > LONGEST)
        return FAR;
    for (int j = 0; j <= length; j++)
        rows[0][j] = j;
    for (int i = 1; i <= word_length; i++) {
        const int *before = rows[(i + 1) % 3], *above = rows[(i + 2) % 3];
        int *row = rows[i % 3];
        row[0] = i;
        for (int j = 1; j <= length; j++) {
            int change = above[j - 1] + (word[i - 1] != text[j - 1]);
            row[j] = least(change, above[j] + 1, row[j - 1] + 1);
            if (i > 1 && j > 1 && word[i - 1] == text[j - 2] &&
                word[i - 2] == text[j - 1])
                row[j] = least(row[j], before[j - 2] + 1, FAR);
        }
    }
    return rows[word_length % 3][length];
}

/* Keeps the better of `best` and `word`: at most two letters off, and fewer
 * than half of them. */
struct guess {
    const char *text;
    int length;
    const char *best;
    int distance;
};

static void consider(struct guess *g, const char *word)
{
    int d = distance(word, g->text, g->length);
    if (d <= 2 && d * 2 < g->length && (!g->best || d < g->distance)) {
        g->best = word;
        g->distance = d;
    }
}

const char *ptx_op_suggest(const char *text, int length)
{
    struct guess g = {.text = text, .length = length};
    for (int i = 0; i < OP_COUNT; i++)
        consider(&g, ptx_ops[i].name);
    return g.best;
}

bool ptx_op_is_missing(const char *text, int length)
{
    static const char *const missing[] = {
        "alloca",     "applypriority", "clusterlaunchcontrol",
        "cp",         "createpolicy",  "discard",
        "getctarank", "istypep",       "ldmatrix",
        "mbarrier",   "mma",           "movmatrix",
        "multimem",   "setmaxnreg",    "stackrestore",
        "stacksave",  "stmatrix",      "suld",
        "suq",        "sured",         "sust",
        "tcgen05",    "tensormap",     "tex",
        "tld4",       "txq",           "vabsdiff",
        "vabsdiff2",  "vabsdiff4",     "vadd",
        "vadd2",      "vadd4",         "vavrg2",
        "vavrg4",     "vmad",          "vmax",
        "vmax2",      "vmax4",         "vmin",
        "vmin2",      "vmin4",         "vset",
        "vset2",      "vset4",         "vshl",
        "vshr",       "vsub",          "vsub2",
        "vsub4",      "wgmma",         "wmma"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (strlen(missing[i]) == (size_t)length &&
            memcmp(missing[i], text, (size_t)length) == 0)
            return true;
    return false;
}

const char *ptx_special_suggest(const char *text, int length)
{
    struct guess g = {.text = text, .length = length};
    for (int i = 0; i < SR_COUNT; i++)
        consider(&g, ptx_specials[i].name);
    return g.best;
}

const char *ptx_modifier_suggest(enum ptx_op op, const char *text, int length)
{
    struct guess g = {.text = text, .length = length};
    for (int i = 1; i < PTX_TYPE_COUNT; i++)
        if (ptx_op_takes(op, (enum ptx_type)i))
            consider(&g, ptx_type_name((enum ptx_type)i));
    for (int i = 0; i < ptx_modifier_count; i++)
        if (ptx_modifier_fits(&ptx_modifiers[i], op))
            consider(&g, ptx_modifiers[i].suffix);
    return g.best;
}
