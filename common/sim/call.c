/* Calls of device functions (PTX ISA 7.1, 9.7.12.5).
 *
 * A call gives its lanes a new frame.  Arguments travel through .param
 * variables: areas in a frame that hold 32 copies of the variable's bytes,
 * one a lane, one after the other. */
#include "sim/machine.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 512, MAX_FRAME_BYTES = 64 << 20 };

/* What nobody has written yet is the same in every run. */
static void fill_garbage(uint8_t *at, uint32_t bytes, uint32_t garbage)
{
    uint32_t *word = (uint32_t *)(void *)at;
    for (uint32_t i = 0; i < bytes / 4; i++)
        word[i] = garbage;
}

struct frame *frame_new(struct block *b, const struct code *code)
{
    struct frame *f = b->free_frames;
    if (f) {
        b->free_frames = f->caller;
    } else {
        f = checked_alloc(sizeof *f);
        f->next_all = b->all_frames;
        b->all_frames = f;
    }
    if (f->bytes < code->frame_bytes) {
        free(f->regs);
        f->bytes = code->frame_bytes;
        f->regs = aligned_alloc(64, ((size_t)f->bytes + 127) / 64 * 64);
        if (!f->regs)
            abort();
        memset(f->regs, 0xff, f->bytes); /* never read; for memory checkers */
    }
    uint8_t *regs = f->regs;
    *f = (struct frame){.code = code,
                        .bytes = f->bytes,
                        .regs = regs,
                        .next_all = f->next_all,
                        .serial = ++b->frames_made};
    uint32_t garbage = garbage_word(b->machine, GARBAGE_REGISTERS, GARBAGE32);
    for (int k = 0; k < code->poison_count; k++)
        fill_garbage(regs + code->poison[k].at, code->poison[k].bytes, garbage);
    fill_garbage(regs + code->areas_at, code->frame_bytes - code->areas_at,
                 garbage);
    b->frame_bytes += f->bytes;
    return f;
}

void frame_release(struct block *b, struct frame *f)
{
    f->caller = b->free_frames;
    b->free_frames = f;
    b->frame_bytes -= f->bytes;
}

/* Copies the lanes of one argument into the callee's parameter area. */
static void pass_argument(const struct slot *from, const uint8_t *regs,
                          const struct param_area *to, uint8_t *callee,
                          uint32_t lanes)
{
    for (uint32_t m = lanes; m; m &= m - 1) {
        size_t i = (size_t)lane_first(m);
        const uint8_t *source =
            from->constant ? (const uint8_t *)from->at : regs + from->at;
        uint32_t bytes = from->area_bytes;
        if (bytes)
            source += i * bytes;
        else
            source += i * (bytes = from->bytes);
        if (bytes > to->bytes)
            bytes = to->bytes;
        memcpy(callee + to->at + i * to->bytes, source, bytes);
        if (to->narrow)
            memset(callee + to->at + i * to->bytes + 2, 0, 2);
    }
}

/* The function at an address; NULL if none that this call can go to. */
static const struct code *code_at(const struct block *b, uint64_t address,
                                  const struct code_insn *in)
{
    const struct image *image = b->machine->image;
    const struct ptx_program *program = image->kernel->program;
    uint64_t which = (address - CODE_WINDOW) / 16;
    if (address < CODE_WINDOW || address % 16 ||
        which >= (uint64_t)program->function_count)
        return NULL;
    for (int i = 0; i < image->code_count; i++)
        if (image->codes[i]->function == program->functions[which])
            return image->codes[i]->function->param_count == in->vector
                       ? image->codes[i]
                       : NULL;
    return NULL;
}

/* Split s goes into the function, in a new frame. */
static bool enter(struct warp *w, int s, const struct code_insn *in,
                  const struct code *code)
{
    struct split *split = &w->splits[s];
    struct frame *caller = split->frame;
    uint32_t local = caller->local_base + caller->code->local_bytes;
    if (caller->depth >= MAX_DEPTH || w->block->frame_bytes > MAX_FRAME_BYTES ||
        local + code->local_bytes > w->block->machine->image->local_bytes) {
        stop_note(w->block, STOP_TRAP, caller->code->function, in->insn,
                  "calls go too deep: %u levels (endless recursion?)",
                  caller->depth);
        return false;
    }
    struct frame *f = frame_new(w->block, code);
    f->caller = caller;
    f->call = in;
    f->return_pc = split->pc + 1;
    f->depth = caller->depth + 1;
    f->local_base = local;
    f->lanes = split->mask;
    for (int k = 0; k < code->function->param_count; k++)
        /* NOLINTNEXTLINE: a frame in use is not one that was free */
        pass_argument(&in->arguments[k], caller->regs, &code->params[k],
                      f->regs, split->mask);
    split->frame = f;
    split->pc = 0;
    return true;
}

/* Each lane calls the function at its own address. */
static bool enter_by_pointer(struct warp *w, int s, const struct code_insn *in)
{
    const uint64_t *address =
        (const uint64_t *)(void *)place_of(in, w->splits[s].frame->regs, 0);
    for (uint32_t left = w->splits[s].mask; left;) {
        uint64_t to = address[lane_first(left)];
        uint32_t same = 0;
        for (uint32_t m = left; m; m &= m - 1)
            if (address[lane_first(m)] == to)
                same |= 1u << lane_first(m);
        left &= ~same;
        const struct code *code = code_at(w->block, to, in);
        if (!code) {
            stop_note(w->block, STOP_TRAP, w->splits[s].frame->code->function,
                      in->insn, "calls 0x%llx, where no such function is",
                      (unsigned long long)to);
            return false;
        }
        if (!enter(w, left ? split_part(w, s, same) : s, in, code))
            return false;
    }
    return true;
}

bool call_enter(struct warp *w, int s, const struct code_insn *in)
{
    /* Lanes that return apart meet again after the call. */
    split_join(w, s, w->splits[s].pc + 1);
    return in->exec == X_CALL ? enter(w, s, in, in->callee)
                              : enter_by_pointer(w, s, in);
}

static void give_result(const struct code_insn *call, const struct frame *f,
                        uint8_t *regs, uint32_t lanes)
{
    const struct slot *to = &call->d2;
    const struct param_area *from = &f->code->result;
    if (to->sink || !from->bytes)
        return;
    uint32_t width = to->area_bytes ? to->area_bytes : to->bytes;
    uint32_t bytes = width < from->bytes ? width : from->bytes;
    for (uint32_t m = lanes; m; m &= m - 1) {
        size_t i = (size_t)lane_first(m);
        memcpy(regs + to->at + i * width, f->regs + from->at + i * from->bytes,
               bytes);
        if (to->narrow)
            memset(regs + to->at + i * width + 2, 0, 2);
    }
}

void call_return(struct warp *w, int s, uint32_t active)
{
    struct split *split = &w->splits[s];
    struct frame *f = split->frame, *caller = f->caller;
    if (active != split->mask)
        split = &w->splits[split_part(w, s, active)];
    give_result(f->call, f, caller->regs, active);
    int join = split->join;
    split->frame = caller;
    split->pc = f->return_pc;
    split_leave_frame(w, active, &join, f);
    split->join = join; /* it meets the others at return_pc */
    f->lanes &= ~active;
    if (!f->lanes)
        frame_release(w->block, f);
}
