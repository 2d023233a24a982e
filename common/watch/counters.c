/* The watcher that counts.  Instructions are counted by stretch, not one by
 * one: a run of them adds to the cell of its first and takes away after its
 * last, so the sum up to an instruction is how often it was issued. */
#include "watch/counters_cells.h"
#include "watch/counters_cost.h"

#include <stdlib.h>
#include <string.h>

const struct counter_info counter_infos[COUNTERS] = {
#define EXACT true
#define PTX false
#define COUNTER(id, name, plain, basis, meaning) {name, plain, basis, meaning},
#include "watch/counters.def"
#undef COUNTER
#undef EXACT
#undef PTX
};

/* ---- cells -------------------------------------------------------------------*/

static struct step_cells *open_step(struct counting *c, struct cell_set *set,
                                    uint32_t step)
{
    struct step_cells *s = &set->steps[step];
    if (s->insns)
        return s;
    size_t insns = (size_t)c->cells * sizeof *s->insns;
    size_t accesses = (size_t)c->accesses * sizeof *s->accesses;
    s->insns = checked_alloc(insns + accesses + 1);
    s->accesses = (struct access_cell *)(void *)((char *)s->insns + insns);
    return s;
}

static struct cell_set *borrow_set(struct counting *c)
{
    pthread_mutex_lock(&c->lock);
    struct cell_set *set = c->free_sets;
    if (set) {
        c->free_sets = set->next_free;
    } else {
        set = checked_alloc(sizeof *set);
        set->next = c->all_sets;
        c->all_sets = set;
    }
    pthread_mutex_unlock(&c->lock);
    return set;
}

static void give_set_back(struct counted_block *b)
{
    struct counting *c = b->counting;
    if (!b->set)
        return;
    pthread_mutex_lock(&c->lock);
    b->set->next_free = c->free_sets;
    c->free_sets = b->set;
    pthread_mutex_unlock(&c->lock);
    b->set = NULL;
}

static void take_set(struct counted_block *b)
{
    struct counting *c = b->counting;
    b->set = borrow_set(c);
    for (uint32_t w = 0; w < c->info->warps_per_block; w++)
        b->warps[w].cells = open_step(c, b->set, b->warps[w].step);
}

static const struct counted_function *
find_function(struct counted_block *b, const struct ptx_function *function)
{
    struct counting *c = b->counting;
    for (int k = 0; k < c->function_count; k++)
        if (c->functions[k].function == function)
            return b->function = &c->functions[k];
    return b->function; /* cannot be: info lists all that can run */
}

/* ---- events --------------------------------------------------------------------*/

static void count_run(struct insn_cell *cell, const struct event *ev)
{
    int64_t times = ev->times;
    int64_t lanes = times * (int64_t)cost_lanes(ev->active);
    cell[0].issues += times;
    cell[0].lanes += lanes;
    cell[ev->count].issues -= times;
    cell[ev->count].lanes -= lanes;
    if (!ev->ends_in_branch)
        return;
    struct insn_cell *branch = &cell[ev->count - 1];
    uint32_t stay = ev->active & ~ev->taken;
    branch->off += stay ? ev->times * cost_lanes(stay) : 0;
    branch->parted += stay && ev->taken ? ev->times : 0;
}

static struct touched *find_touched(struct counted_block *b, uint64_t address)
{
    struct counting *c = b->counting;
    for (int k = 0; k < c->touched_count; k++)
        if (address - c->touched[k].address < c->touched[k].bytes)
            return b->touched = &c->touched[k];
    return NULL; /* a wrong address: others tell */
}

/* Host threads meet here: a whole line is stored, and only parts of a line
 * need a locked instruction, once. */
static inline void touch_line(uint8_t *line, uint8_t sectors)
{
    uint8_t now = __atomic_load_n(line, __ATOMIC_RELAXED);
    if ((now & sectors) == sectors)
        return;
    if (sectors == WHOLE_LINE)
        __atomic_store_n(line, WHOLE_LINE, __ATOMIC_RELAXED);
    else
        __atomic_fetch_or(line, sectors, __ATOMIC_RELAXED);
}

static inline void touch(struct counted_block *b, uint64_t address,
                         uint64_t bytes)
{
    struct touched *t = b->touched;
    if (!t || address - t->address >= t->bytes)
        t = find_touched(b, address);
    if (!t)
        return;
    uint64_t first = (address - t->address) / SECTOR;
    uint64_t last = (address - t->address + bytes - 1) / SECTOR;
    uint64_t line = first / LINE_SECTORS, end = last / LINE_SECTORS;
    uint32_t sectors = WHOLE_LINE << first % LINE_SECTORS & WHOLE_LINE;
    for (; line < end && line < t->count; line++, sectors = WHOLE_LINE)
        touch_line(&t->lines[line], (uint8_t)sectors);
    sectors &= WHOLE_LINE >> (LINE_SECTORS - 1 - last % LINE_SECTORS);
    if (line < t->count)
        touch_line(&t->lines[line], (uint8_t)sectors);
}

/* Consecutive cells of as many lanes: those are `bytes` from `first` on. */
static inline uint32_t row_sectors(uint64_t first, uint64_t bytes)
{
    return (uint32_t)((first + bytes - 1) / SECTOR - first / SECTOR + 1);
}

static bool is_whole(uint32_t active) /* no hole between active lanes */
{
    return (active & (active + (active & -active))) == 0;
}

/* Sectors of an access to global memory; those that are read are noted. */
static uint32_t count_sectors(struct counted_block *b, const struct event *ev)
{
    bool is_read = ev->is_atomic || !ev->is_write;
    uint32_t low = ev->active & -ev->active;
    if (ev->is_row && is_whole(ev->active)) {
        uint64_t first = ev->address[__builtin_ctz(ev->active)];
        uint64_t bytes = (uint64_t)ev->size * cost_lanes(ev->active);
        if (is_read)
            touch(b, first, bytes);
        return row_sectors(first, bytes);
    }
    uint32_t sectors = cost_sectors(ev);
    for (uint32_t m = sectors == 1 ? low : ev->active; m && is_read; m &= m - 1)
        touch(b, ev->address[__builtin_ctz(m)], ev->size);
    return sectors;
}

static inline void count_stores(struct counted_block *b, struct counted_warp *w,
                                bool is_write)
{
    b->stores += is_write;
    w->stores += is_write;
}

/* 32 words in a row, or some of them. */
static inline void count_one_wavefront(struct access_cell *cell)
{
    cell->wavefronts++;
    cell->least++;
    cell->worst += cell->worst == 0;
}

static void count_wavefronts(struct access_cell *cell, const struct event *ev)
{
    uint32_t least, wavefronts = cost_wavefronts(ev, &least);
    cell->wavefronts += wavefronts;
    cell->least += least;
    uint32_t degree = (wavefronts + least - 1) / (least ? least : 1);
    if (degree > cell->worst)
        cell->worst = degree;
}

/* An access that ptxas changes: lanes of a word together, or neighbours. */
static void count_changed(struct access_cell *cell, const struct event *ev,
                          const struct sass_insn *sass)
{
    struct event as = *ev;
    uint64_t address[WARP_LANES];
    as.is_atomic = false;
    if (sass->join_bytes) {
        for (int i = 0; i < WARP_LANES; i++)
            address[i] = ev->address[i] & ~(uint64_t)(sass->join_bytes - 1);
        as.address = address;
        as.size = sass->join_bytes;
        as.is_row = false;
    }
    if (!sass->is_joined)
        count_wavefronts(cell, &as);
}

static void count_shared(struct counted_block *b, struct access_cell *cell,
                         const struct event *ev, const struct sass_insn *sass)
{
    count_stores(b, &b->warps[ev->warp], ev->is_write);
    if (sass->join_bytes || sass->is_joined || sass->merges_lanes) {
        count_changed(cell, ev, sass);
        return;
    }
    if (ev->is_row && ev->size == 4 && !ev->is_atomic) {
        count_one_wavefront(cell);
        return;
    }
    count_wavefronts(cell, ev);
    if (ev->is_atomic)
        cell->same_word += cost_same_word(ev);
}

static void count_access(struct counted_block *b, const struct event *ev,
                         int index)
{
    const struct counted_function *f = b->function;
    int32_t place = f->access[index];
    enum access_space space = ev->space == SPACE_SHARED  ? IN_SHARED
                              : ev->space == SPACE_LOCAL ? IN_LOCAL
                                                         : IN_GLOBAL;
    if (place < 0 || !ev->active || ev->space == SPACE_PARAM)
        return;
    struct access_cell *cell =
        &b->warps[ev->warp].cells->accesses[place + (int)space];
    cell->requests += space == IN_LOCAL ? (ev->size + 3) / 4 : 1;
    cell->lanes += cost_lanes(ev->active);
    if (space == IN_SHARED) {
        count_shared(b, cell, ev, &f->sass[index]);
        return;
    }
    if (space == IN_LOCAL) {
        cell->sectors += cost_local_sectors(ev);
        return;
    }
    cell->sectors += count_sectors(b, ev);
    if (ev->is_atomic)
        cell->same_word += cost_same_word(ev);
}

static void count_rows(struct counted_block *b, struct counted_warp *w,
                       const struct event *ev)
{
    const struct counted_function *f = b->function;
    for (uint32_t k = 0; k < ev->count; k++) {
        const struct row_access *row = &ev->rows[k];
        ptrdiff_t index = row->insn - f->function->insns;
        struct access_cell *cell =
            &w->cells->accesses[f->access[index] +
                                (row->is_shared ? IN_SHARED : IN_GLOBAL)];
        uint32_t lanes = cost_lanes(row->active);
        cell->requests++;
        cell->lanes += lanes;
        if (row->is_shared) {
            /* Joined with neighbours it is one lane, or it were no row. */
            count_stores(b, w, row->is_write);
            if (!f->sass[index].is_joined)
                count_one_wavefront(cell);
        } else {
            uint64_t bytes = (uint64_t)row->size * lanes;
            cell->sectors += row_sectors(row->address, bytes);
            touch(b, row->address, bytes);
        }
    }
}

/* The warp met others: a new step, if something was stored before. */
static void next_step(struct counted_block *b, struct counted_warp *w,
                      bool has_stored)
{
    if (!has_stored || w->step + 1 >= STEPS)
        return;
    w->step++;
    if (b->set)
        w->cells = open_step(b->counting, b->set, w->step);
}

/* The block's last thread has gone: what it borrowed is free for the next. */
static void count_exit(struct counted_block *b, const struct event *ev)
{
    b->live -= cost_lanes(ev->active);
    if (!b->live)
        give_set_back(b);
}

static void count_rare(struct counted_block *b, const struct event *ev)
{
    struct counted_warp *w = &b->warps[ev->warp];
    if (ev->kind == EVENT_EXIT) {
        count_exit(b, ev);
    } else if (ev->kind == EVENT_WARP_SYNC) {
        next_step(b, w, w->stores > 0);
        w->stores = 0;
    } else {
        next_step(b, w, b->stores != w->seen);
        w->seen = b->stores;
        w->stores = 0;
    }
}

static void count_event(struct watcher *watcher, void *state,
                        const struct event *ev)
{
    struct counted_block *b = state;
    const struct counted_function *f = b->function;
    (void)watcher;
    if (!b->set)
        take_set(b);
    if (!f || f->function != ev->function)
        f = find_function(b, ev->function);
    int index = (int)(ev->insn - f->function->insns);
    struct insn_cell *cell = &b->warps[ev->warp].cells->insns[f->first + index];
    switch (ev->kind) {
    case EVENT_RUN: count_run(cell, ev); break;
    case EVENT_GUARD: cell->off += cost_lanes(ev->issued & ~ev->active); break;
    case EVENT_ROWS: count_rows(b, &b->warps[ev->warp], ev); break;
    case EVENT_LOAD:
    case EVENT_STORE:
    case EVENT_ATOMIC: count_access(b, ev, index); break;
    default: count_rare(b, ev); break;
    }
}

/* ---- blocks ------------------------------------------------------------------------*/

static void *begin_block(struct watcher *watcher, uint64_t index)
{
    struct counting *c = (struct counting *)watcher;
    struct counted_block *b = c->free_blocks;
    (void)index;
    if (b) {
        c->free_blocks = b->next_free;
    } else {
        b = checked_alloc(sizeof *b);
        b->counting = c;
        b->next = c->all_blocks;
        c->all_blocks = b;
    }
    b->stores = 0;
    b->live = c->info->threads_per_block;
    memset(b->warps, 0, sizeof b->warps);
    return b;
}

static void end_block(struct watcher *watcher, void *state, uint64_t index)
{
    struct counting *c = (struct counting *)watcher;
    struct counted_block *b = state;
    (void)index;
    give_set_back(b);
    b->next_free = c->free_blocks;
    c->free_blocks = b;
}

/* ---- the launch ----------------------------------------------------------------------*/

static bool is_access(const struct ptx_insn *in)
{
    return ptx_ops[in->op].class == CLASS_MEMORY && in->space != SPACE_PARAM;
}

static void place_functions(struct counting *c)
{
    c->function_count = c->info->function_count;
    c->functions =
        arena_array(&c->arena, (size_t)c->function_count, sizeof *c->functions);
    for (int k = 0; k < c->function_count; k++) {
        struct counted_function *f = &c->functions[k];
        f->function = c->info->functions[k];
        f->sass = sass_estimate(&c->arena, f->function);
        f->first = c->cells;
        f->access = arena_array(&c->arena, (size_t)f->function->insn_count + 1,
                                sizeof *f->access);
        for (int i = 0; i < f->function->insn_count; i++) {
            bool has = is_access(&f->function->insns[i]);
            f->access[i] = has ? c->accesses : -1;
            c->accesses += has ? ACCESS_SPACES : 0;
        }
        /* One more: a run may end behind the last. */
        c->cells += f->function->insn_count + 1;
    }
}

static void place_touched(struct counting *c)
{
    const struct memory *m = c->info->memory;
    c->touched = arena_array(&c->arena, (size_t)m->count, sizeof *c->touched);
    for (int k = 0; k < m->count; k++) {
        const struct buffer *buffer = m->buffers[k];
        if (buffer->freed || buffer->role == BUFFER_CONSTANT || !buffer->bytes)
            continue;
        struct touched *t = &c->touched[c->touched_count++];
        t->address = buffer->address;
        t->bytes = buffer->bytes;
        t->count = (buffer->bytes - 1) / (SECTOR * LINE_SECTORS) + 1;
        t->lines = checked_alloc(t->count);
    }
}

static void clear(struct counting *c)
{
    for (struct cell_set *s = c->all_sets, *next; s; s = next) {
        next = s->next;
        for (int k = 0; k < STEPS; k++)
            free(s->steps[k].insns);
        free(s);
    }
    for (struct counted_block *b = c->all_blocks, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    for (int k = 0; k < c->touched_count; k++)
        free(c->touched[k].lines);
    arena_free(&c->arena);
    c->all_sets = c->free_sets = NULL;
    c->all_blocks = c->free_blocks = NULL;
    c->touched_count = c->cells = c->accesses = 0;
}

static void begin(struct watcher *watcher, const struct launch_info *info)
{
    struct counting *c = (struct counting *)watcher;
    clear(c);
    c->info = info;
    place_functions(c);
    place_touched(c);
}

static void end(struct watcher *watcher)
{
    struct counting *c = (struct counting *)watcher;
    counters_free(c->result);
    c->result = counting_sum(c);
    clear(c);
}

struct watcher *counters_watcher(void)
{
    struct counting *c = checked_alloc(sizeof *c);
    c->watcher = (struct watcher){
        .name = "counters",
        .wants = WANTS(EVENT_RUN) | WANTS(EVENT_GUARD) | WANTS(EVENT_LOAD) |
                 WANTS(EVENT_ROWS) | WANTS(EVENT_STORE) | WANTS(EVENT_ATOMIC) |
                 WANTS(EVENT_WARP_SYNC) | WANTS(EVENT_BARRIER_DONE) |
                 WANTS(EVENT_EXIT),
        .adds_runs = true,
        .state = c,
        .begin = begin,
        .block_begin = begin_block,
        .event = count_event,
        .block_end = end_block,
        .end = end,
    };
    pthread_mutex_init(&c->lock, NULL);
    return &c->watcher;
}

struct counters *counters_take(struct watcher *watcher)
{
    struct counting *c = (struct counting *)watcher;
    struct counters *result = c->result;
    c->result = NULL;
    return result;
}

void counters_watcher_free(struct watcher *watcher)
{
    struct counting *c = (struct counting *)watcher;
    if (!c)
        return;
    clear(c);
    counters_free(c->result);
    pthread_mutex_destroy(&c->lock);
    free(c);
}
