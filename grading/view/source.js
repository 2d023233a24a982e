// What stands beside the picture: the source with the line of the step lit,
// running totals, findings.  Text of a student's file is set as text only.
import { placeFindings, STATE_NAMES } from "./model.js";
import { valueText } from "./words.js";

export function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes))
        made.setAttribute(key, value);
    made.append(...children);
    return made;
}

export class Source {
    constructor(host, run) {
        const text = run.source || "";
        const list = element("ol");
        this.lines = text.replace(/\n$/, "").split("\n").map((line, k) => {
            const item = element("li", { value: k + 1 });
            item.textContent = line || " ";
            list.append(item);
            return item;
        });
        this.box = element("div", { class: "source mono", tabindex: "0",
            role: "region", "aria-label": "the kernel's source" }, list);
        this.ptx = element("div", { class: "ptx mono" });
        host.append(this.box, this.ptx);
        this.lit = null;
    }

    light(step, others) {
        if (this.lit) this.lit.classList.remove("lit");
        for (const item of this.others || []) item.classList.remove("other");
        this.lit = step && this.lines[step.line - 1] || null;
        this.others = others.map(l => this.lines[l - 1]).filter(Boolean);
        for (const item of this.others) item.classList.add("other");
        this.ptx.textContent = step ? step.ptx : "";
        if (!this.lit) return;
        this.lit.classList.add("lit");
        const box = this.box, top = this.lit.offsetTop - box.offsetTop;
        const height = this.lit.offsetHeight;
        if (top < box.scrollTop + height ||
            top + 2 * height > box.scrollTop + box.clientHeight)
            box.scrollTop = Math.max(0, top - box.clientHeight / 2);
    }

    litLine() {
        return this.lit ? Number(this.lit.getAttribute("value")) : 0;
    }
}

const ROWS = [
    ["steps", "steps"], ["instructions", "warp instructions (PTX)"],
    ["share", "active lanes"], ["barriers", "barriers (a warp each)"],
    ["warp_syncs", "__syncwarp()"], ["shuffles", "shuffles"],
    ["wavefronts", "shared memory passes"], ["conflicts", "of them conflicts"],
    ["sectors", "global sectors"], ["atomics", "atomics"],
];

export class Totals {
    constructor(host, run) {
        const body = element("tbody");
        this.cells = {};
        for (const [key, label] of ROWS) {
            const total = run.trace.totals[key];
            if (total === 0) continue;
            const cell = this.cells[key] = element("td");
            const row = element("tr", {}, element("td", {}, label), cell);
            body.append(row);
        }
        host.append(element("table",
            { class: "totals", "aria-label": "running totals" }, body));
    }

    show(playback) {
        for (const [key, cell] of Object.entries(this.cells))
            cell.textContent = key === "share"
                ? `${(100 * playback.activeShare()).toFixed(1)} %`
                : String(playback.totals[key]);
    }
}

export function legend(host) {
    const names = ["ready", "working", "masked", "waiting", "exited"];
    const box = element("div", { class: "legend" });
    names.forEach((name, k) => box.append(element("span",
        { class: name, style: `--c: var(--${name === "exited" ? "paper" : name})` },
        STATE_NAMES[k])));
    for (const [name, text] of [["read", "reads"], ["write", "writes"],
        ["conflict", "waits in a bank"], ["fresh", "just written"]])
        box.append(element("span", { style: `--c: var(--${name})` }, text));
    host.append(box);
}

// "passed: 8128", and each finding with buttons that go to its steps.
export function verdict(host, playback, go) {
    const r = playback.run.result;
    host.append(element("p", {}, `${r.verdict}: the launch gave ` +
        `${valueText(r.value, 9)}, expected ${valueText(r.expected, 9)}`));
    const placed = placeFindings(playback);
    if (!placed.length) return placed;
    const list = element("ul", { class: "findings" });
    for (const place of placed) {
        const { finding, step, other } = place;
        const item = element("li");
        if (step !== null) {
            const here = element("button", {}, `step ${step}`);
            here.addEventListener("click", () => go(step));
            item.append(here);
        }
        if (other !== null && other !== step) {
            const there = element("button", {}, `step ${other}`);
            there.addEventListener("click", () => go(other));
            item.append(there);
        }
        const block = playback.trace.block;
        const elsewhere = finding.block !== undefined && finding.block !== block;
        item.append(`line ${finding.line || "?"}: ${finding.message}` +
            (elsewhere ? ` To see that block: SHOW=${finding.block}` : ""));
        list.append(item);
    }
    host.append(list);
    return placed;
}
