/* A recorded block as JSON, for the page that plays it.
 *
 *     {"block": 0, "blocks": 4, "warps": 4, "threads": 128,
 *      "in_step": true, "cut": false,
 *      "shared": {"bytes": 512, "variables": [["s", 0, 512]]},
 *      "buffers": [["in", bytes, bytes of an element], ...],
 *      "insns": [[line, "ld.shared.f32 ..."], ...],
 *      "steps": [{"i": instruction, "k": "load", "r": [record, ...]}, ...],
 *      "queue": [[block, lanes], ...], "totals": {...}}
 *
 * A record: "w" warp, "m" mask of lanes; where it applies "k" how often it
 * was done in a row, "n" "t" instructions of the warp and its threads, "j" lanes that jump, "s" source lanes, "a"
 * [first, step] or "A" [one a lane] addresses in bytes (in "b", a buffer, else
 * in shared memory), "z" bytes a lane, "v" a value a lane (what is no
 * number: "?" for words nobody wrote), "x" values after a shared atomic,
 * "c" wavefronts or sectors, "l" the fewest possible, "q" lanes in one queue.
 * Lanes are those of the mask, in rising order. */
#ifndef LAB_TRACE_JSON_H
#define LAB_TRACE_JSON_H

#include "base/json.h"
#include "watch/trace.h"

/* Adds the fields to the open object.  `source`: the file that is shown;
 * lines of other files are 0, and if it is PTX the lines are those of the PTX. */
void trace_json(struct json *, const struct trace *, const char *source);

#endif
