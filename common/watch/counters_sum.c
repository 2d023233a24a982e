/* Adds up what the blocks counted: cells of instructions become counters of
 * lines and steps, and totals.  See counters.h. */
#include "watch/counters_cells.h"
#include "watch/name.h"

#include <stdlib.h>
#include <string.h>

const struct counter_ratio counter_ratios[] = {
    {"smsp__thread_inst_executed_per_inst_executed.ratio",
     "lanes there per instruction", COUNT_THREAD_INST, COUNT_INST, false},
    {"smsp__thread_inst_executed_pred_on_per_inst_executed.ratio",
     "lanes at work per instruction", COUNT_PRED_ON, COUNT_INST, false},
    {"l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
     "sectors per global load", COUNT_SECTOR_LD, COUNT_REQUEST_LD, true},
    {"lab__lanes_per_shared_ld.ratio", "lanes per shared load",
     COUNT_SHARED_LD_LANES, COUNT_SHARED_LD_REQ, true},
};
const int counter_ratio_count = sizeof counter_ratios / sizeof *counter_ratios;

double counters_ratio(const struct counters *c, const struct counter_ratio *r)
{
    uint64_t below = c->total[r->below];
    return below ? (double)c->total[r->above] / (double)below : 0;
}

/* ---- one step: all sets together -----------------------------------------------*/

/* The cells of a step, all sets added up, and differences made sums. */
static struct step_cells add_sets(const struct counting *c, int step)
{
    struct step_cells all = {0};
    for (const struct cell_set *s = c->all_sets; s; s = s->next) {
        const struct step_cells *from = &s->steps[step];
        if (!from->insns)
            continue;
        if (!all.insns) {
            all.insns = checked_alloc((size_t)c->cells * sizeof *all.insns);
            all.accesses =
                checked_alloc((size_t)c->accesses * sizeof *all.accesses + 1);
        }
        for (int k = 0; k < c->cells; k++) {
            all.insns[k].issues += from->insns[k].issues;
            all.insns[k].lanes += from->insns[k].lanes;
            all.insns[k].off += from->insns[k].off;
            all.insns[k].parted += from->insns[k].parted;
        }
        for (int k = 0; k < c->accesses; k++) {
            struct access_cell *to = &all.accesses[k];
            const struct access_cell *a = &from->accesses[k];
            to->requests += a->requests;
            to->lanes += a->lanes;
            to->wavefronts += a->wavefronts;
            to->least += a->least;
            to->sectors += a->sectors;
            to->same_word += a->same_word;
            to->worst = a->worst > to->worst ? a->worst : to->worst;
        }
    }
    for (int k = 1; all.insns && k < c->cells; k++) {
        all.insns[k].issues += all.insns[k - 1].issues;
        all.insns[k].lanes += all.insns[k - 1].lanes;
    }
    return all;
}

/* ---- rows ---------------------------------------------------------------------------*/

static struct counters_row *row_for(struct counters *r, int step,
                                    const char *file, int line)
{
    for (int k = r->row_count - 1; k >= 0 && r->rows[k].step == step; k--) {
        const char *has = r->rows[k].file;
        bool same = has && file ? !strcmp(has, file) : has == file;
        if (r->rows[k].line == line && same)
            return &r->rows[k];
    }
    r->rows =
        checked_realloc(r->rows, (size_t)(r->row_count + 1) * sizeof *r->rows);
    struct counters_row *row = &r->rows[r->row_count++];
    *row = (struct counters_row){.step = step, .line = line};
    row->file = file ? strdup(file) : NULL;
    return row;
}

/* An instruction in a step, with all that is known of it. */
struct counted {
    const struct ptx_insn *insn;
    const struct sass_insn *sass;
    uint64_t issues, lanes; /* as machine code: with a predicated body */
    uint64_t on;            /* lanes that do it */
    const struct insn_cell *cell;
    const struct access_cell *access; /* ACCESS_SPACES of them, or NULL */
};

static void add_instructions(uint64_t *v, const struct counted *i)
{
    const struct sass_insn *s = i->sass;
    uint64_t jumps = s->is_jump ? i->issues : 0;
    uint64_t all_on = s->is_jump ? (uint64_t)i->cell->lanes : i->on;
    v[COUNT_INST] += s->cost * i->issues + jumps;
    v[COUNT_THREAD_INST] += (s->cost + (unsigned)s->is_jump) * i->lanes;
    v[COUNT_PRED_ON] +=
        (unsigned)(s->cost - s->idle) * all_on + (s->is_jump ? i->on : 0);
    v[COUNT_BRANCH] +=
        jumps + (unsigned)(s->is_end + s->is_meeting + s->is_check) * i->issues;
    v[COUNT_PARTED] += i->cell->parted;
    if (s->is_jump && !s->is_exit)
        v[COUNT_DIVERGENT] += i->cell->parted;
}

static void add_meetings(uint64_t *v, const struct counted *i)
{
    uint64_t issues = (uint64_t)i->cell->issues;
    switch (i->insn->op) {
    case OP_BAR:
    case OP_BARRIER:
        v[i->insn->mode == MODE_WARP ? COUNT_WARP_SYNC : COUNT_BARRIER] +=
            issues;
        break;
    case OP_SHFL: v[COUNT_SHUFFLE] += issues; break;
    case OP_VOTE:
    case OP_MATCH:
    case OP_REDUX:
    case OP_ACTIVEMASK: v[COUNT_VOTE] += issues; break;
    default: break;
    }
}

/* A float atomic is a loop: a turn for each lane of the word wanted most. */
static void add_atomic_loop(uint64_t *v, const struct counted *i,
                            const struct access_cell *a)
{
    uint64_t turns = a->same_word;
    uint64_t lanes = a->requests ? turns * (a->lanes / a->requests + 1) / 2 : 0;
    v[COUNT_INST] += i->sass->loop_cost * turns;
    v[COUNT_THREAD_INST] += i->sass->loop_cost * lanes;
    v[COUNT_PRED_ON] += i->sass->loop_cost * lanes;
    v[COUNT_BRANCH] += turns;
    v[COUNT_SHARED_LD] += turns;
    v[COUNT_WAVE_LD] += turns;
    v[COUNT_SHARED_ATOM] += turns;
    v[COUNT_WAVE_ATOM] += 2 * turns; /* a compare and swap takes two */
}

static void add_shared(uint64_t *v, const struct counted *i,
                       const struct access_cell *a)
{
    bool is_store = i->insn->op == OP_ST || i->insn->op == OP_CP_ASYNC;
    if (i->sass->is_joined)
        return; /* counted with its neighbour */
    if (i->sass->loop_cost) {
        add_atomic_loop(v, i, a);
    } else if (i->sass->is_gathered) {
        v[COUNT_SHARED_ATOM] += i->issues;
        v[COUNT_WAVE_ATOM] += a->requests;
    } else if (i->insn->op == OP_ATOM || i->insn->op == OP_RED) {
        /* A compare and swap takes two. */
        v[COUNT_SHARED_ATOM] += i->issues;
        v[COUNT_WAVE_ATOM] +=
            (i->insn->atomic == ATOMIC_CAS ? 2 : 1) * a->wavefronts;
        v[COUNT_CONFLICT_ATOM] += a->wavefronts - a->least;
    } else if (is_store) {
        v[COUNT_SHARED_ST] += i->issues;
        v[COUNT_SHARED_ST_REQ] += a->requests;
        v[COUNT_WAVE_ST] += a->wavefronts;
        v[COUNT_CONFLICT_ST] += a->wavefronts - a->least;
    } else {
        v[COUNT_SHARED_LD] += i->issues;
        v[COUNT_SHARED_LD_REQ] += a->requests;
        v[COUNT_SHARED_LD_LANES] += a->lanes;
        v[COUNT_WAVE_LD] += a->wavefronts;
        v[COUNT_CONFLICT_LD] += a->wavefronts - a->least;
    }
}

static void add_global(uint64_t *v, const struct counted *i,
                       const struct access_cell *a)
{
    if (i->insn->op == OP_ATOM || i->insn->op == OP_RED) {
        v[i->sass->is_red ? COUNT_RED : COUNT_ATOM] += i->issues;
        v[COUNT_ATOMIC_LANES] += a->lanes;
        v[COUNT_ATOMIC_QUEUE] += a->same_word - a->requests;
    } else if (i->insn->op == OP_ST) {
        v[COUNT_GLOBAL_ST] += i->issues;
        v[COUNT_REQUEST_ST] += a->requests;
        v[COUNT_SECTOR_ST] += a->sectors;
    } else {
        v[COUNT_GLOBAL_LD] += i->issues;
        v[COUNT_REQUEST_LD] += a->requests;
        v[COUNT_SECTOR_LD] += a->sectors;
    }
}

static void add_local(uint64_t *v, const struct counted *i,
                      const struct access_cell *a)
{
    bool is_store = i->insn->op == OP_ST;
    if (i->sass->is_kept)
        return;
    v[is_store ? COUNT_LOCAL_REQUEST_ST : COUNT_LOCAL_REQUEST_LD] +=
        a->requests;
    v[is_store ? COUNT_LOCAL_SECTOR_ST : COUNT_LOCAL_SECTOR_LD] += a->sectors;
}

static void add_counted(struct counters_row *row, const struct counted *i)
{
    add_instructions(row->value, i);
    add_meetings(row->value, i);
    if (!i->access)
        return;
    const struct access_cell *a = i->access;
    if (a[IN_SHARED].requests)
        add_shared(row->value, i, &a[IN_SHARED]);
    if (a[IN_SHARED].worst > row->worst)
        row->worst = a[IN_SHARED].worst;
    if (a[IN_GLOBAL].requests)
        add_global(row->value, i, &a[IN_GLOBAL]);
    if (a[IN_LOCAL].requests)
        add_local(row->value, i, &a[IN_LOCAL]);
}

/* ptxas writes four trips behind each other as long as there are four, then
 * two, then one: a load that goes with the next trip is left over in each of
 * those. */
static uint64_t left_over(uint64_t issues, uint64_t entries)
{
    uint64_t trips = entries ? issues / entries : 0;
    if (!trips)
        return issues;
    return entries * (trips / 4 + trips % 4 / 2 + trips % 2);
}

static void scale(uint64_t *value, uint64_t above, uint64_t below)
{
    *value = below ? *value * above / below : *value;
}

/* The same instruction and its accesses, as often as it is left over. */
static void add_left_over(struct counters_row *row, struct counted i,
                          uint64_t entries)
{
    struct access_cell access[ACCESS_SPACES];
    uint64_t issues = i.issues, left = left_over(issues, entries);
    memcpy(access, i.access, sizeof access);
    scale(&i.lanes, left, issues);
    scale(&i.on, left, issues);
    scale(&access[IN_SHARED].requests, left, issues);
    scale(&access[IN_SHARED].lanes, left, issues);
    scale(&access[IN_SHARED].wavefronts, left, issues);
    scale(&access[IN_SHARED].least, left, issues);
    i.issues = left;
    i.access = access;
    add_counted(row, &i);
}

static void add_function(struct counters *r, const struct counted_function *f,
                         const struct step_cells *all, int step)
{
    struct insn_cell *cells = &all->insns[f->first];
    size_t count = (size_t)f->function->insn_count + 1;
    uint64_t *issues = checked_alloc(2 * count * sizeof *issues);
    uint64_t *lanes = issues + count;
    for (int k = 0; k < f->function->insn_count; k++) {
        const struct ptx_insn *insn = &f->function->insns[k];
        int with = f->sass[k].with;
        issues[k] = with < 0 ? (uint64_t)cells[k].issues : issues[with];
        lanes[k] = with < 0 ? (uint64_t)cells[k].lanes : lanes[with];
        if (!issues[k])
            continue;
        struct counted i = {
            .insn = insn,
            .sass = &f->sass[k],
            .issues = issues[k],
            .lanes = lanes[k],
            .on = (uint64_t)cells[k].lanes - cells[k].off,
            .cell = &cells[k],
            .access = f->access[k] < 0 ? NULL : &all->accesses[f->access[k]],
        };
        struct counters_row *row =
            row_for(r, step, name_file(f->function, insn), insn->line);
        int loop = f->sass[k].joins_next;
        if (loop && i.access)
            add_left_over(row, i, issues[loop - 1]);
        else
            add_counted(row, &i);
    }
    free(issues);
}

static int compare_rows(const void *a, const void *b)
{
    const struct counters_row *x = a, *y = b;
    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    int files = strcmp(x->file ? x->file : "", y->file ? y->file : "");
    return files ? files : (x->line > y->line) - (x->line < y->line);
}

/* The DRAM gives two sectors of a line, whichever of them is wanted. */
static uint64_t bytes_touched(const struct counting *c)
{
    uint64_t pairs = 0;
    for (int k = 0; k < c->touched_count; k++) {
        const struct touched *t = &c->touched[k];
        for (uint64_t line = 0; line < t->count; line++)
            pairs += (uint64_t)((t->lines[line] & 3) != 0) +
                     ((t->lines[line] & 12) != 0);
    }
    return pairs * 2 * SECTOR;
}

struct counters *counting_sum(struct counting *c)
{
    struct counters *r = checked_alloc(sizeof *r);
    r->blocks = c->info->blocks;
    r->warps = r->blocks * c->info->warps_per_block;
    r->threads = r->blocks * c->info->threads_per_block;
    for (int step = 0; step < STEPS; step++) {
        struct step_cells all = add_sets(c, step);
        if (!all.insns)
            continue;
        r->steps = step + 1;
        for (int k = 0; k < c->function_count; k++)
            add_function(r, &c->functions[k], &all, step);
        free(all.insns);
        free(all.accesses);
    }
    if (r->row_count)
        qsort(r->rows, (size_t)r->row_count, sizeof *r->rows, compare_rows);
    for (int k = 0; k < r->row_count; k++)
        for (int v = 0; v < COUNTERS; v++)
            r->total[v] += r->rows[k].value[v];
    r->total[COUNT_DRAM_READ] = bytes_touched(c);
    return r;
}

void counters_free(struct counters *r)
{
    for (int k = 0; r && k < r->row_count; k++)
        free(r->rows[k].file);
    if (r)
        free(r->rows);
    free(r);
}

/* ---- groups of rows ------------------------------------------------------------------*/

static void add_row(struct counters_row *to, const struct counters_row *from)
{
    for (int v = 0; v < COUNTERS; v++)
        to->value[v] += from->value[v];
    to->worst = from->worst > to->worst ? from->worst : to->worst;
}

static bool same_line(const struct counters_row *a,
                      const struct counters_row *b)
{
    if (a->line != b->line || !a->file != !b->file)
        return false;
    return !a->file || !strcmp(a->file, b->file);
}

static int group(const struct counters *c, struct counters_row **rows,
                 bool by_step)
{
    int count = 0;
    *rows = checked_alloc(((size_t)c->row_count + 1) * sizeof **rows);
    for (int k = 0; k < c->row_count; k++) {
        const struct counters_row *from = &c->rows[k];
        int at = 0;
        while (at < count && !(by_step ? (*rows)[at].step == from->step
                                       : same_line(&(*rows)[at], from)))
            at++;
        if (at == count) {
            (*rows)[count++] = (struct counters_row){
                .step = from->step, .line = from->line, .file = from->file};
            if (by_step)
                (*rows)[at].line = 0;
            else
                (*rows)[at].step = 0;
        }
        add_row(&(*rows)[at], from);
    }
    qsort(*rows, (size_t)count, sizeof **rows, compare_rows);
    return count;
}

int counters_by_line(const struct counters *c, struct counters_row **rows)
{
    return group(c, rows, false);
}

int counters_by_step(const struct counters *c, struct counters_row **rows)
{
    return group(c, rows, true);
}
