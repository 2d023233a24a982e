/* docs/ptx-subset.md from ops.def, modifiers.def, types.def, specials.def. */
#include "ptx/describe.h"
#include "ptx/ops.h"

#include <string.h>

static const char *const head =
    "# The PTX we run\n"
    "\n"
    "This page is made from the decoder's own tables (`common/ptx/*.def`); a\n"
    "test compares them. What is not here is refused when a kernel is loaded,\n"
    "with its PTX line and its line in the `.cu` file.\n"
    "\n"
    "## Exact and approximate\n"
    "\n"
    "All results are those of the PTX ISA, bit for bit, with these "
    "exceptions:\n"
    "instructions with `.approx` or `.full` are approximate on a GPU too. We "
    "give\n"
    "a result within the error that the ISA allows, so the last bits may "
    "differ\n"
    "from a GPU's. The table names them. Whatever has a rounding (`.rn` "
    "`.rz`\n"
    "`.rm` `.rp`) is exact.\n"
    "\n"
    "## Instructions\n"
    "\n"
    "Operands: `d` result, `p` predicate result, `a b c e` register, number "
    "or\n"
    "special register, `P` predicate, `D` `A` register or `{vector}`, `s` "
    "also\n"
    "the address of a variable or function, `[m]` memory, `l` label, `f` "
    "call.\n"
    "What stands in parentheses may be missing.\n"
    "\n"
    "| instruction | operands | types | what it does | approximate |\n"
    "|---|---|---|---|---|\n";

static const char *const middle = "\n"
                                  "## Modifiers\n"
                                  "\n"
                                  "| modifier | instructions |\n"
                                  "|---|---|\n";

static const char *const tail =
    "\n"
    "## Directives\n"
    "\n"
    "Understood: `.version .target .address_size .file .loc .entry .func "
    ".param\n"
    ".reg .global .const .shared .local .align .alias .branchtargets\n"
    ".callprototype .calltargets .maxntid .reqntid .extern .visible .weak\n"
    ".common`.\n"
    "\n"
    "Accepted, and without effect here: `.section .pragma .attribute .ptr\n"
    ".minnctapersm .maxnctapersm .maxnreg .noreturn .unique .explicitcluster\n"
    ".reqnctapercluster .maxclusterrank .blocksareclusters .abi_preserve\n"
    ".abi_preserve_control`.\n"
    "\n"
    "## Not here\n"
    "\n"
    "32-bit addresses, textures and surfaces, vector registers (`.reg .v4`),\n"
    "register parameters (`.func (.reg ...)`), video and matrix instructions\n"
    "(`mma`, `wgmma`, `tcgen05`), bulk and tensor copies, `mbarrier`,\n"
    "clusters of more than one block, instructions with three types\n"
    "(`cvt.pack`), constant expressions with operators.\n";

/* "pab?P" as "p\|q, a, b (, P)" */
static void add_operands(struct text *t, const char *shape)
{
    bool optional = false, first = true;

    for (; *shape; shape++) {
        if (*shape == '?') {
            optional = true;
            continue;
        }
        text_puts(t, first ? "" : optional ? " (, " : ", ");
        if (first && optional)
            text_puts(t, "(");
        first = false;
        text_printf(t, *shape == 'm' ? "[%c]" : "%c", *shape);
        if (optional)
            text_puts(t, ")");
    }
}

static void add_types(struct text *t, enum ptx_op op)
{
    const char *between = "";

    for (int i = 1; i < PTX_TYPE_COUNT; i++) {
        if (!ptx_op_takes(op, (enum ptx_type)i))
            continue;
        text_printf(t, "%s%s", between, ptx_type_name((enum ptx_type)i));
        between = " ";
    }
}

/* The forms that a GPU computes approximately. */
static void add_approximate(struct text *t, enum ptx_op op)
{
    static const char *const suffixes[] = {"approx", "full"};
    const char *between = "";

    for (int i = 0; i < 2; i++) {
        if (!ptx_modifier_find(op, suffixes[i], (int)strlen(suffixes[i])))
            continue;
        text_printf(t, "%s`.%s`", between, suffixes[i]);
        between = " ";
    }
}

static void add_ops(struct text *t)
{
    for (int i = 0; i < OP_COUNT; i++) {
        const struct ptx_op_info *op = &ptx_ops[i];
        text_printf(t, "| `%s` | ", op->name);
        add_operands(t, op->shape);
        text_puts(t, " | ");
        add_types(t, (enum ptx_op)i);
        text_puts(t, " | ");
        for (const char *c = op->meaning; *c; c++)
            text_printf(t, *c == '|' ? "\\%c" : "%c", *c);
        text_puts(t, " | ");
        add_approximate(t, (enum ptx_op)i);
        text_puts(t, " |\n");
    }
}

/* Suffixes that mean something first, then the hints. */
static void add_modifiers(struct text *t, bool hints)
{
    for (int i = 0; i < ptx_modifier_count; i++) {
        const struct modifier *m = &ptx_modifiers[i];
        if ((m->field == FIELD_DROP) == hints)
            text_printf(t, "| `.%s` | %s |\n", m->suffix, m->ops);
    }
}

static void add_specials(struct text *t)
{
    text_puts(t, "\n## Special registers\n\n"
                 "| register | type | meaning |\n|---|---|---|\n");
    for (int i = 0; i < SR_COUNT; i++)
        text_printf(t, "| `%s` | %s | %s |\n", ptx_specials[i].name,
                    ptx_type_name(ptx_specials[i].type),
                    ptx_specials[i].meaning);
}

void ptx_describe(struct text *t)
{
    text_puts(t, head);
    add_ops(t);
    text_puts(t, middle);
    add_modifiers(t, false);
    text_puts(t, "\nAccepted and dropped, since they change no result (caches, "
                 "proxies, profilers):\n\n"
                 "| modifier | instructions |\n|---|---|\n");
    add_modifiers(t, true);
    add_specials(t);
    text_puts(t, tail);
}
