// What happens in a step, in a sentence or two: for the line under the
// picture and for those who hear the page.
import { isParted, lanesOf } from "./model.js";

export function plural(count, word) {
    return `${count} ${word}${count === 1 ? "" : "s"}`;
}

// "1 to 3 and 5"
export function ranges(numbers) {
    const parts = [];
    for (let i = 0; i < numbers.length; i++) {
        const from = numbers[i];
        while (i + 1 < numbers.length && numbers[i + 1] === numbers[i] + 1) i++;
        parts.push(numbers[i] === from ? `${from}`
            : numbers[i] === from + 1 ? `${from} and ${numbers[i]}`
                : `${from} to ${numbers[i]}`);
    }
    if (parts.length < 2) return parts.join("");
    if (parts.length > 6)
        return `${parts.slice(0, 5).join(", ")} and others`;
    return `${parts.slice(0, -1).join(", ")} and ${parts[parts.length - 1]}`;
}

export function valueText(value, digits = 6) {
    if (value === undefined || value === null) return "";
    if (Array.isArray(value))
        return value.map(v => valueText(v, digits)).join(" ");
    if (typeof value !== "number") return String(value);
    if (Number.isInteger(value) && Math.abs(value) < 10 ** digits)
        return String(value);
    const text = Number(value.toPrecision(digits)).toString();
    return text.replace(/^(-?)0\./, "$1.");
}

function warpsText(records) {
    const warps = [...new Set(records.map(r => r.w))].sort((a, b) => a - b);
    return `${warps.length === 1 ? "warp" : "warps"} ${ranges(warps)}`;
}

function lanesText(records) {
    const counts = [...new Set(records.map(r => r.lanes.length))];
    if (counts.length > 1) {
        const all = counts.reduce((a, b) => Math.max(a, b));
        return `up to ${plural(all, "lane")} each`;
    }
    return `${plural(counts[0], "lane")}${records.length > 1 ? " each" : ""}`;
}

function sharedText(step) {
    const verb = { load: "reads", store: "writes", atomic: "updates" };
    const verbs = { load: "read", store: "write", atomic: "update" };
    const many = new Set(step.records.map(r => r.w)).size > 1;
    const worst = Math.max(...step.records.map(r => r.c));
    const least = Math.max(...step.records.map(r => r.l || 1));
    const degree = Math.ceil(worst / least);
    const passes = degree > 1
        ? `a${degree === 8 ? "n" : ""} ${degree}-way bank conflict, ${worst} passes`
        : worst > 1 ? `${worst} passes, the fewest for so many bytes`
            : "one pass, no conflict";
    return `${warpsText(step.records)} ${(many ? verbs : verb)[step.kind]} ` +
        `shared memory, ${lanesText(step.records)}: ${passes}`;
}

function globalText(step, run) {
    const count = step.records.reduce((sum, r) => sum + r.c, 0);
    const first = step.records[0];
    const buffer = run.trace.buffers[first.b];
    const name = buffer ? buffer[0] : "local memory";
    const verb = step.kind === "load" ? "load from" : "store to";
    return `${warpsText(step.records)}: ${verb} ${name}, ` +
        `${lanesText(step.records)}, ${plural(count, "sector")} of 32 bytes`;
}

function atomicText(step, run) {
    const lanes = step.records.reduce((sum, r) => sum + r.lanes.length, 0);
    const longest = Math.max(...step.records.map(r => r.q || 1));
    const buffer = run.trace.buffers[step.records[0].b];
    const name = buffer ? buffer[0] : "global memory";
    const value = lanes === 1 && step.records[0].v
        ? `, ${valueText(step.records[0].v[0])}` : "";
    return `${warpsText(step.records)}: ${plural(lanes, "atomic")} on ${name}` + value +
        (longest > 1 ? `; ${longest} lanes of a warp queue for one word` : "");
}

function branchText(step) {
    const parted = step.records.filter(isParted);
    const who = warpsText(step.records);
    if (!parted.length)
        return `${who}: a condition, all lanes of a warp agree`;
    const jump = parted.reduce((sum, r) => sum + lanesOf(r.j & r.m).length, 0);
    const all = parted.reduce((sum, r) => sum + r.lanes.length, 0);
    const stay = all - jump;
    const whose = parted.length < step.records.length
        ? `the lanes of ${plural(parted.length, "warp")}`
        : parted.length > 1 ? "the lanes of each warp" : "its lanes";
    return `${who}: a condition parts ${whose}: ` +
        `${jump} ${jump === 1 ? "jumps" : "jump"}, ` +
        `${stay} ${stay === 1 ? "goes" : "go"} straight on; one side waits`;
}

// How far what a shuffle brings has come: ", 16 lanes to the left".
function distanceText(record) {
    const moves = record.lanes.map((lane, k) => [lane, record.s[k]])
        .filter(([lane, source]) => lane !== source);
    const one = values => new Set(values).size === 1 ? values[0] : null;
    const away = one(moves.map(([lane, source]) => source - lane));
    const mirrored = one(moves.map(([lane, source]) => source ^ lane));
    const single = one(moves.map(move => move[1]));
    if (!moves.length) return "";
    if (single !== null && moves.length > 1) return `, all from lane ${single}`;
    if (away !== null)
        return `, from ${plural(Math.abs(away), "lane")} to the ` +
            (away > 0 ? "right" : "left");
    return mirrored !== null ? `, in pairs ${mirrored} apart` : "";
}

export function stepText(step, run) {
    if (!step) return "Nothing has happened yet.";
    const times = Math.max(...step.records.map(r => r.k || 1));
    return onceText(step, run) +
        (times > 1 ? `; ${times.toLocaleString("en")} times, all the same` : "");
}

function onceText(step, run) {
    switch (step.kind) {
    case "load": case "store":
        return step.shared ? sharedText(step) : globalText(step, run);
    case "atomic":
        return step.shared ? sharedText(step) : atomicText(step, run);
    case "branch": return branchText(step);
    case "shuffle":
        return `${warpsText(step.records)}: lanes read each other's ` +
            `registers${distanceText(step.records[0])} (shuffle)`;
    case "vote": return `${warpsText(step.records)}: the lanes vote`;
    case "sync":
        return `${warpsText(step.records)}: __syncwarp(), the lanes meet`;
    case "barrier":
        return `${warpsText(step.records)} come to the barrier and wait`;
    case "open":
        return `The barrier opens: all have come, ` +
            `${warpsText(step.records)} go on`;
    case "fence": return `${warpsText(step.records)}: a memory fence`;
    case "exit":
        return `${warpsText(step.records)}: ${lanesText(step.records)} ` +
            `are done`;
    case "fault":
        return `${warpsText(step.records)}: memory refuses this access`;
    case "bad":
        return `${warpsText(step.records)}: a warp-wide operation is used ` +
            `wrongly`;
    case "trap":
        return `${warpsText(step.records)}: ` +
            (step.records[0].text || "trap") + ", the kernel stops";
    case "stuck":
        return `${warpsText(step.records)} can never go on from here`;
    default: return step.kind;
    }
}

// For the test and for screen readers: all of it in one piece.
export function summary(playback) {
    const census = playback.census();
    const step = playback.step;
    const parts = [`Step ${playback.at} of ${playback.steps.length}.`];
    if (step && step.line) parts.push(`Line ${step.line}.`);
    const text = stepText(step, playback.run);
    parts.push(`${text[0].toUpperCase()}${text.slice(1)}.`);
    parts.push(`${plural(census[1], "thread")} working, ${census[2]} masked ` +
        `off, ${census[3]} waiting, ${census[4]} exited.`);
    return parts.join(" ").replace("..", ".");
}
