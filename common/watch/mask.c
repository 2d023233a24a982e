/* Words for misused masks.  See mask.h. */
#include "watch/mask.h"

#include "watch/name.h"

#include <stdio.h>
#include <string.h>

/* What the student wrote for this instruction, as far as one can tell. */
static const char *call_name(const struct ptx_insn *insn)
{
    switch (insn->op) {
    case OP_SHFL:
        switch (insn->mode) {
        case MODE_UP: return "__shfl_up_sync()";
        case MODE_DOWN: return "__shfl_down_sync()";
        case MODE_BFLY: return "__shfl_xor_sync()";
        default: return "__shfl_sync()";
        }
    case OP_VOTE:
        switch (insn->mode) {
        case MODE_BALLOT: return "__ballot_sync()";
        case MODE_ALL: return "__all_sync()";
        case MODE_ANY: return "__any_sync()";
        default: return "the vote";
        }
    case OP_MATCH: return "__match_sync()";
    case OP_REDUX: return "__reduce_sync()";
    case OP_BAR:
    case OP_BARRIER: return "__syncwarp()";
    default: return "the warp-wide operation";
    }
}

static const char *hint(const struct ptx_insn *insn, enum misuse_kind misuse)
{
    if (misuse == MISUSE_SOURCE_ABSENT)
        return "the value of a lane that takes no part is not defined, on a "
               "GPU it may be anything; let all 32 lanes take part and give "
               "the idle ones the value 0";
    if (misuse == MISUSE_LANE_ABSENT)
        return "put the call where all named lanes pass, and guard only the "
               "load or the addition; on a GPU this hangs or gives anything. "
               "(Lanes that have ended do not count as absent.)";
    if (misuse == MISUSE_MASKS_DIFFER)
        return "lanes that meet in one call must all give the same mask, with "
               "a bit for each of them";
    if (insn->op == OP_BAR || insn->op == OP_BARRIER)
        return "a lane may only pass a __syncwarp() whose mask has its own "
               "bit; without an argument it is for all 32 lanes";
    return "each lane that calls must have its own bit in the mask: "
           "0xffffffff when the whole warp calls; anything else is undefined "
           "on a GPU, even if it seems to work";
}

static void say(struct teller *t, struct teller_block *b,
                const struct event *ev, struct finding *f, uint64_t count)
{
    char mask[60], who[120], others[120];
    const char *call = call_name(ev->insn);
    unsigned long long block = (unsigned long long)b->block;
    snprintf(mask, sizeof mask, "the mask 0x%08x", ev->issued);
    name_threads(t->info, ev->warp, ev->active, who, sizeof who);
    name_lanes(ev->named, others, sizeof others);
    const char *why = hint(ev->insn, ev->misuse);
    bool one = !(ev->active & (ev->active - 1));
    switch (ev->misuse) {
    case MISUSE_CALLER_NOT_NAMED:
        teller_say(b, f, count, why,
                   "%s of %s lacks the bit of a lane that calls it: %s "
                   "(block %llu)",
                   mask, call, who, block);
        break;
    case MISUSE_LANE_ABSENT:
        teller_say(b, f, count, why,
                   "%s of %s names %s of warp %u, which %s here; %s %s there "
                   "(block %llu)",
                   mask, call, others, ev->warp,
                   ev->named & (ev->named - 1) ? "do not come"
                                               : "does not come",
                   who, one ? "is" : "are", block);
        break;
    case MISUSE_SOURCE_ABSENT:
        teller_say(b, f, count, why,
                   "%s reads from lanes that take no part (ended, missing, or "
                   "not in %s): garbage for %s (block %llu)",
                   call, mask, who, block);
        break;
    default:
        teller_say(b, f, count, why,
                   "lanes that call %s together give different masks: %s "
                   "(block %llu)",
                   call, who, block);
        break;
    }
}

static void on_misuse(struct watcher *watcher, void *state,
                      const struct event *ev)
{
    struct teller *t = (struct teller *)watcher;
    struct teller_block *b = state;
    if (ev->misuse == MISUSE_NOT_CONVERGED || ev->misuse == MISUSE_TWO_BARRIERS)
        return; /* barrier.c */
    uint64_t count = (uint64_t)__builtin_popcount(ev->active);
    struct finding f = teller_place("bad-sync-mask", ev, NULL);
    if (ev->misuse == MISUSE_SOURCE_ABSENT)
        f.depends_on = GARBAGE_LANES;
    if (!teller_again(b, &f, count))
        say(t, b, ev, &f, count);
}

struct watcher *mask_watcher(struct finding_list *list)
{
    return teller_new(sizeof(struct teller), sizeof(struct teller_block),
                      "mask", WANTS(EVENT_BAD_SYNC), on_misuse, list);
}
