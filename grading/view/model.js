// The recorded block, step by step: what the page shows is computed here from
// the JSON that `lab trace` wrote, and nothing is drawn.
//
//   decode(run)    steps with whole records: lanes, addresses, values
//   Playback       the state after step k: lanes, shared memory, totals

export const READY = 0, WORKING = 1, MASKED = 2, WAITING = 3, EXITED = 4;
export const STATE_NAMES = ["ready", "working", "masked off",
    "waiting at a barrier", "exited"];

export function lanesOf(mask) {
    const lanes = [];
    for (let i = 0; i < 32; i++)
        if (mask >>> i & 1) lanes.push(i);
    return lanes;
}

function addressesOf(record, lanes) {
    if (record.A) return record.A;
    if (!record.a) return null;
    return lanes.map(lane => record.a[0] + record.a[1] * (lane - lanes[0]));
}

// Do some lanes jump at this branch, and some not?
export function isParted(record) {
    const jumps = (record.j & record.m) >>> 0;
    return jumps !== 0 && jumps !== record.m >>> 0;
}

// How many passes each bank takes: distinct words in it, as lanes see them.
// Wide accesses go in halves or quarters; these take turns.
export function bankPasses(record) {
    const banks = Array.from({ length: 32 }, () => []);
    const parts = record.z <= 4 ? 1 : record.z <= 8 ? 2 : 4;
    record.lanes.forEach((lane, k) => {
        const part = Math.floor(lane / (32 / parts));
        const words = Math.ceil(record.z / 4);
        for (let w = 0; w < words; w++) {
            const word = Math.floor(record.at[k] / 4) + w;
            const bank = banks[((word % 32) + 32) % 32];
            let pass = bank.find(p => p.word === word && p.part === part &&
                !record.atomic);
            if (!pass) bank.push(pass = { word, part, lanes: [] });
            pass.lanes.push(lane);
        }
    });
    return banks;
}

// The 32-byte pieces of global memory that a record touches, in order.
export function sectorsOf(record) {
    const sectors = new Map();
    record.lanes.forEach((lane, k) => {
        const first = Math.floor(record.at[k] / 32);
        const last = Math.floor((record.at[k] + record.z - 1) / 32);
        for (let s = first; s <= last; s++) {
            if (!sectors.has(s)) sectors.set(s, []);
            sectors.get(s).push(lane);
        }
    });
    return [...sectors].map(([sector, lanes]) => ({ sector, lanes }))
        .sort((a, b) => a.sector - b.sector);
}

export function decode(run) {
    const trace = run.trace;
    const steps = trace.steps.map(step => {
        const [line, ptx] = trace.insns[step.i];
        const shared = step.sh === 1;
        const records = step.r.map(raw => {
            const lanes = lanesOf(raw.m);
            return {
                ...raw, lanes, at: addressesOf(raw, lanes),
                atomic: step.k === "atomic", shared
            };
        });
        return { kind: step.k, line, ptx, shared, records };
    });
    return { ...run, steps };
}

function emptyTotals() {
    return {
        steps: 0, instructions: 0, thread_instructions: 0, barriers: 0,
        warp_syncs: 0, shuffles: 0, votes: 0, wavefronts: 0, conflicts: 0,
        sectors: 0, atomics: 0
    };
}

export class Playback {
    constructor(run) {
        this.run = decode(run);
        this.steps = this.run.steps;
        this.trace = run.trace;
        this.reset();
    }

    reset() {
        const threads = this.trace.warps * 32;
        this.at = 0; // steps done
        this.lanes = new Uint8Array(threads).fill(READY);
        this.live = new Uint8Array(threads).fill(1);
        for (let t = this.trace.threads; t < threads; t++) {
            this.lanes[t] = EXITED;
            this.live[t] = 0;
        }
        this.values = new Array(threads).fill(undefined);
        this.shared = new Map(); // word -> value
        this.fresh = new Set(); // words written by the last step
        this.totals = emptyTotals();
        this.step = null; // the step done last
    }

    // The state after `count` steps.
    go(count) {
        const end = Math.max(0, Math.min(count, this.steps.length));
        if (end < this.at) this.reset();
        while (this.at < end) this.forward();
        return this.at;
    }

    forward() {
        const step = this.steps[this.at++];
        this.step = step;
        this.fresh.clear();
        for (let t = 0; t < this.lanes.length; t++)
            if (this.lanes[t] === WORKING) this.lanes[t] = READY;
        for (const record of step.records) this.apply(step, record);
        this.totals.steps++;
    }

    apply(step, record) {
        const totals = this.totals;
        totals.instructions += record.n || 0;
        totals.thread_instructions += record.t || 0;
        this.markLanes(step, record);
        const times = record.k || 1;
        switch (step.kind) {
        case "load": case "store": case "atomic":
            this.access(step, record, times);
            break;
        case "shuffle":
            totals.shuffles += times;
            this.setValues(record, record.v);
            break;
        case "vote": totals.votes += times; break;
        case "sync": totals.warp_syncs += times; break;
        case "barrier": totals.barriers += times; break;
        }
    }

    markLanes(step, record) {
        const base = record.w * 32;
        for (let i = 0; i < 32; i++) {
            const t = base + i, on = record.m >>> i & 1;
            if (!this.live[t]) continue;
            if (step.kind === "exit" && on) {
                this.lanes[t] = EXITED;
                this.live[t] = 0;
            } else if (step.kind === "barrier" && on) {
                this.lanes[t] = WAITING;
            } else if (on) {
                this.lanes[t] = WORKING;
            } else if (this.lanes[t] !== WAITING) {
                this.lanes[t] = MASKED;
            }
        }
    }

    setValues(record, values) {
        if (values)
            record.lanes.forEach((lane, k) => {
                this.values[record.w * 32 + lane] = values[k];
            });
    }

    access(step, record, times) {
        const totals = this.totals;
        this.setValues(record, record.v);
        if (step.shared) {
            totals.wavefronts += times * record.c;
            totals.conflicts += times * Math.max(0, record.c - record.l);
            if (step.kind !== "load") this.write(record);
        } else if (step.kind === "atomic") {
            totals.atomics += times * record.lanes.length;
        } else if (record.b !== undefined) {
            totals.sectors += times * record.c;
        }
    }

    write(record) {
        const values = record.x || record.v;
        record.lanes.forEach((lane, k) => {
            const value = values ? values[k] : "?";
            const list = Array.isArray(value) ? value : [value];
            list.forEach((v, part) => {
                const word = Math.floor(record.at[k] / 4) + part;
                this.shared.set(word, v);
                this.fresh.add(word);
            });
        });
    }

    // How many threads are in each state.
    census() {
        const count = [0, 0, 0, 0, 0];
        for (let t = 0; t < this.trace.threads; t++) count[this.lanes[t]]++;
        return count;
    }

    activeShare() {
        const slots = 32 * this.totals.instructions;
        return slots ? this.totals.thread_instructions / slots : 0;
    }

    // The worst wavefronts over the fewest possible of the step done last.
    degree() {
        let worst = 1;
        for (const r of this.step ? this.step.records : [])
            if (this.step.shared && r.l)
                worst = Math.max(worst, Math.ceil(r.c / r.l));
        return worst;
    }
}

// Where the findings lie in time: [{finding, step, other}], steps counted from
// 1, null where the block that was recorded does not show it.
export function placeFindings(playback) {
    const block = playback.trace.block;
    const findings = playback.run.result.findings || [];
    return findings.map(finding => {
        const pair = racePair(playback, finding, block);
        if (pair) return { finding, step: pair[1], other: pair[0] };
        const last = matching(playback, finding, block);
        return {
            finding, step: last,
            other: finding.other_line && last !== null
                ? otherStep(playback, finding, block, last) : null
        };
    });
}

const QUIET = ["branch", "open"];

function hasThread(record, thread) {
    return record.w === Math.floor(thread / 32) &&
        (record.m >>> (thread % 32) & 1) === 1;
}

// A race is two accesses to one word, one of them no load.
function racePair(playback, finding, block) {
    if (finding.other_block !== block || finding.block !== block) return null;
    const accesses = (line, thread) => playback.steps.flatMap((s, k) =>
        s.line !== line || s.shared !== (finding.space === "shared") ? []
            : s.records.filter(r => r.at && hasThread(r, thread))
                .map(r => ({ step: k + 1, kind: s.kind, buffer: r.b,
                    at: r.at[r.lanes.indexOf(thread % 32)], size: r.z })));
    const before = accesses(finding.other_line, finding.other_thread);
    for (const now of accesses(finding.line, finding.thread))
        for (const then of before)
            if (then.step <= now.step && then.buffer === now.buffer &&
                then.at < now.at + now.size && now.at < then.at + then.size &&
                (then.kind !== "load" || now.kind !== "load"))
                return [then.step, now.step];
    return null;
}

function matching(playback, finding, block) {
    const find = test => playback.steps.findIndex(test);
    let k = -1;
    if (finding.thread !== undefined && finding.block === block)
        k = find(s => s.line === finding.line && !QUIET.includes(s.kind) &&
            s.records.some(r => hasThread(r, finding.thread)));
    if (k < 0 && (finding.block === undefined || finding.block === block))
        k = find(s => s.line === finding.line && !QUIET.includes(s.kind));
    if (k < 0 && (finding.block === undefined || finding.block === block))
        k = find(s => s.line === finding.line && finding.line > 0);
    if (k < 0 && finding.kind === "no-progress" && finding.block === block)
        k = playback.steps.findLastIndex(s =>
            s.records.some(r => r.w === Math.floor(finding.thread / 32)));
    return k < 0 ? null : k + 1;
}

function otherStep(playback, finding, block, last) {
    if (finding.other_block !== undefined && finding.other_block !== block)
        return null;
    let found = null;
    playback.steps.forEach((s, k) => {
        const is = s.line === finding.other_line && !QUIET.includes(s.kind) &&
            (finding.other_thread === undefined ||
                s.records.some(r => hasThread(r, finding.other_thread)));
        if (is && (found === null || k + 1 <= last)) found = k + 1;
    });
    return found;
}
