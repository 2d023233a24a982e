// The picture of one block: threads above, the 32 banks of shared memory
// below them, global memory at the bottom.  Two canvases lie on each other:
// what stands still is drawn once a step, what moves once a frame.
import { bankPasses, isParted, sectorsOf, STATE_NAMES, READY, WORKING, MASKED, WAITING, EXITED } from "./model.js";
import { valueText } from "./words.js";

const MOST_ROWS = 34, MOST_LINES = 8, STACK = 44;

function colours(element) {
    const style = getComputedStyle(element);
    const names = ["text", "faint", "line", "paper", "ready", "working",
        "masked", "hatch", "waiting", "exited", "read", "write", "conflict",
        "fresh", "word", "on-working", "alarm"];
    return Object.fromEntries(names.map(n =>
        [n, style.getPropertyValue(`--${n}`).trim()]));
}

export class Picture {
    constructor(host, playback) {
        this.host = host;
        this.playback = playback;
        this.still = host.appendChild(document.createElement("canvas"));
        this.moving = host.appendChild(document.createElement("canvas"));
        this.moving.className = "moving";
        this.marks = []; // findings that are at this step
        this.drawn = {}; // what stands on the screen, for tests
        this.measureTrace();
        this.layout();
    }

    // Rows that any step needs, so that nothing jumps.
    measureTrace() {
        let word = 0, lines = 1;
        for (const step of this.playback.steps) {
            const touched = new Set();
            for (const r of step.records) {
                if (!r.at) continue;
                for (const at of r.at)
                    if (step.shared)
                        word = Math.max(word, (at + r.z - 1) / 4);
                    else if (step.kind !== "atomic")
                        touched.add(Math.floor(at / 128));
            }
            lines = Math.max(lines, touched.size);
        }
        this.hasShared = this.playback.trace.shared.bytes > 0;
        this.rows = Math.min(MOST_ROWS, Math.floor(word / 32) + 1);
        this.lines = Math.min(innerWidth < 520 ? 4 : MOST_LINES, lines);
        this.hasQueue = this.playback.trace.queue.length > 0;
    }

    layout() {
        const width = Math.max(300, this.host.clientWidth);
        const small = width < 520;
        const left = small ? 20 : 46, right = small ? 22 : 52;
        const cell = Math.max(8, Math.min(30,
            Math.floor((width - left - right) / 32)));
        const warps = this.playback.trace.warps;
        // Both grids should fit the screen, if that leaves them readable.
        const rows = warps + (this.hasShared ? this.rows : 0);
        const height = Math.min(cell, 20, Math.max(10,
            Math.floor((innerHeight - 380) / rows)));
        const g = { width, small, left, cell, height, line: small ? 9 : 12 };
        let y = 22;
        g.threads = y;
        y += warps * height + (this.hasShared ? 12 : 34);
        g.stack = y;
        g.shared = y + STACK + 18;
        if (this.hasShared) y = g.shared + this.rows * height + 34;
        g.global = y;
        y += this.lines * g.line + 32;
        g.queue = y;
        if (this.hasQueue) y += 46;
        g.bottom = y;
        this.g = g;
        const ratio = window.devicePixelRatio || 1;
        for (const canvas of [this.still, this.moving]) {
            canvas.width = Math.round(width * ratio);
            canvas.height = Math.round(g.bottom * ratio);
            canvas.style.width = `${width}px`;
            canvas.style.height = `${g.bottom}px`;
            canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
        }
        this.host.style.height = `${g.bottom}px`;
        this.colour = colours(this.host);
        this.draw();
    }

    // ---- places -------------------------------------------------------------

    laneBox(thread) {
        const g = this.g;
        return [g.left + (thread % 32) * g.cell,
            g.threads + Math.floor(thread / 32) * g.height];
    }

    wordBox(word) {
        const g = this.g, row = Math.min(this.rows - 1, Math.floor(word / 32));
        return [g.left + (((word % 32) + 32) % 32) * g.cell,
            g.shared + Math.max(0, row) * g.height];
    }

    middle([x, y]) {
        return [x + this.g.cell / 2, y + this.g.height / 2];
    }

    // ---- what stands still ---------------------------------------------------

    draw() {
        const c = this.still.getContext("2d");
        c.clearRect(0, 0, this.g.width, this.g.bottom);
        c.lineWidth = 1;
        this.drawn = { working: 0, masked: 0, waiting: 0, exited: 0, ready: 0,
            words: 0, passes: 0, stacked: 0, sectors: 0, arrows: 0,
            queued: 0, jumping: 0, marks: this.marks.length };
        this.drawThreads(c);
        if (this.hasShared) this.drawShared(c);
        this.drawGlobal(c);
        if (this.hasQueue) this.drawQueue(c);
        this.drawMarks(c);
        this.frame(1);
    }

    heading(c, text, y) {
        c.fillStyle = this.colour.faint;
        c.font = "600 12px system-ui, sans-serif";
        c.textAlign = "left";
        c.textBaseline = "alphabetic";
        c.fillText(text, this.g.left, y - 7, 32 * this.g.cell);
    }

    label(c, text, x, y, align = "right") {
        c.fillStyle = this.colour.faint;
        c.font = `${this.g.small ? 9 : 11}px system-ui, sans-serif`;
        c.textAlign = align;
        c.textBaseline = "middle";
        c.fillText(text, x, y, align === "right" && x < this.g.left
            ? x : undefined);
    }

    drawThreads(c) {
        const { g, playback } = this;
        this.heading(c, g.small ? "threads: a row is a warp"
            : "threads: a row is a warp of 32 lanes, with the value each saw " +
            "last", g.threads);
        for (let w = 0; w < playback.trace.warps; w++)
            this.label(c, g.small ? `${w}` : `warp ${w}`, g.left - 5,
                g.threads + (w + 0.5) * g.height);
        for (let t = 0; t < playback.lanes.length; t++)
            this.drawLane(c, t, playback.lanes[t]);
        this.drawDegrees(c);
    }

    drawLane(c, thread, state) {
        const { g, colour, playback } = this;
        const [x, y] = this.laneBox(thread);
        const w = g.cell - 1, h = g.height - 1;
        const names = ["ready", "working", "masked", "waiting", "exited"];
        if (thread < playback.trace.threads) this.drawn[names[state]]++;
        c.fillStyle = [colour.ready, colour.working, colour.masked,
            colour.waiting, colour.paper][state];
        c.fillRect(x, y, w, h);
        c.strokeStyle = colour.hatch;
        const jumps = this.jumps(thread);
        if (jumps) { // it works, but goes another way: a stripe is left
            c.fillStyle = colour.ready;
            c.fillRect(x, y, w, h - 4);
            this.drawn.jumping++;
        }
        if (state === MASKED) this.hatch(c, x, y, w, h);
        if (state === EXITED) {
            c.strokeStyle = colour.exited;
            c.strokeRect(x + 0.5, y + 0.5, w - 1, h - 1);
        }
        if (state === WAITING) { // two bars: it pauses
            c.fillStyle = colour.text;
            c.fillRect(x + w / 2 - 3, y + 3, 2, h - 6);
            c.fillRect(x + w / 2 + 1, y + 3, 2, h - 6);
            return;
        }
        if (g.cell < 14 || g.height < 13) return;
        c.fillStyle = state === WORKING && !jumps ? colour["on-working"]
            : state === READY || jumps ? colour.text : colour.faint;
        this.value(c, playback.values[thread], x + w / 2, y + h / 2);
    }

    // At a branch that parts its warp: does the thread leave the straight way?
    jumps(thread) {
        const step = this.playback.step;
        if (!step || step.kind !== "branch") return false;
        const r = step.records.find(one =>
            one.w === Math.floor(thread / 32));
        return r !== undefined && isParted(r) && (r.j >>> (thread % 32) & 1) === 1;
    }

    value(c, value, x, y) {
        if (value === undefined) return;
        const first = Array.isArray(value) ? value[0] : value;
        let text = valueText(first, 3);
        if (text.length > 5) text = Number(first).toExponential(0);
        const size = this.g.cell / 2.2;
        const fits = Math.min(size, 1.75 * this.g.cell / text.length);
        c.font = `${Math.max(6, fits)}px system-ui, sans-serif`;
        c.textAlign = "center";
        c.textBaseline = "middle";
        c.fillText(text, x, y + 0.5, this.g.cell - 2);
    }

    hatch(c, x, y, w, h) {
        c.save();
        c.beginPath();
        c.rect(x, y, w, h);
        c.clip();
        c.beginPath();
        for (let d = -h; d < w; d += 5) {
            c.moveTo(x + d, y + h);
            c.lineTo(x + d + h, y);
        }
        c.stroke();
        c.restore();
    }

    // Beside each warp: how many passes its access takes.
    drawDegrees(c) {
        const { g, playback } = this, step = playback.step;
        if (!step || !step.records[0].at) return;
        for (const r of step.records) {
            const conflict = step.shared && r.l && r.c > r.l;
            const text = step.shared ? `×${r.c}`
                : step.kind === "atomic" ? `q${r.q}` : `${r.c}s`;
            c.font = `${conflict ? 700 : 400} ${g.small ? 9 : 11}px system-ui`;
            c.fillStyle = conflict ? this.colour.conflict : this.colour.faint;
            c.textAlign = "left";
            c.textBaseline = "middle";
            c.fillText(text, g.left + 32 * g.cell + 4,
                g.threads + (r.w + 0.5) * g.height);
        }
    }

    drawShared(c) {
        const { g, colour, playback } = this;
        this.heading(c, g.small ? "shared memory: a column is a bank"
            : "shared memory: a column is one of the 32 banks, a row 128 bytes",
        g.shared - 10);
        for (let bank = 0; bank < 32; bank += g.cell < 16 ? 4 : 1)
            this.label(c, `${bank}`, g.left + (bank + 0.5) * g.cell,
                g.shared - 6, "center");
        for (let word = 0; word < this.rows * 32; word++) {
            const [x, y] = this.wordBox(word);
            const has = playback.shared.has(word);
            const inside = word * 4 < playback.trace.shared.bytes;
            c.fillStyle = playback.fresh.has(word) ? colour.fresh
                : has ? colour.word : colour.paper;
            c.fillRect(x, y, g.cell - 1, g.height - 1);
            if (!has && inside) {
                c.strokeStyle = colour.line;
                c.strokeRect(x + 0.5, y + 0.5, g.cell - 2, g.height - 2);
            }
            if (!has) continue;
            this.drawn.words++;
            if (g.cell < 14 || g.height < 13) continue;
            c.fillStyle = playback.fresh.has(word) ? "#000" : colour.text;
            this.value(c, playback.shared.get(word), x + (g.cell - 1) / 2,
                y + (g.height - 1) / 2);
        }
        this.drawNames(c);
        if (playback.step && playback.step.shared) this.drawStacks(c);
    }

    drawNames(c) {
        const { g, playback } = this;
        for (const [name, at] of playback.trace.shared.variables) {
            const row = Math.floor(at / 128);
            if (row < this.rows)
                this.label(c, g.small && name.length > 3 ? "" : name,
                    g.left - 5, g.shared + (row + 0.5) * g.height);
        }
    }

    // The words that each bank must give to the warp that has it worst: one
    // on the other, since a bank gives one a pass.
    drawStacks(c) {
        const { g, colour, playback } = this;
        const worst = playback.step.records.reduce((a, b) =>
            b.at && b.c > a.c ? b : a);
        if (!worst.at) return;
        const banks = bankPasses(worst);
        const most = Math.max(...banks.map(b => b.length), 1);
        this.drawn.highest = most;
        const size = Math.min(9, (STACK - 6) / most);
        const base = g.shared - 32;
        banks.forEach((passes, bank) => passes.forEach((pass, k) => {
            c.fillStyle = k === 0 ? this.accessColour() : colour.conflict;
            c.fillRect(g.left + bank * g.cell + 1, base - (k + 1) * size,
                g.cell - 3, Math.max(1, size - 1));
            this.drawn.stacked++;
        }));
        this.drawn.passes = worst.c;
        const degree = Math.ceil(worst.c / (worst.l || 1));
        if (degree > 1) {
            c.font = "700 12px system-ui, sans-serif";
            c.fillStyle = colour.conflict;
            c.textAlign = "left";
            c.fillText(`×${degree}`, g.left + 32 * g.cell + 4, base - 8);
        }
    }

    accessColour() {
        const kind = this.playback.step.kind;
        return kind === "load" ? this.colour.read : this.colour.write;
    }

    // 128 bytes a row, as a warp of floats loads them; a box is a sector.
    drawGlobal(c) {
        const { g, playback } = this;
        const step = playback.step;
        const is = step && step.records.some(r => r.at && r.b !== undefined) &&
            !step.shared;
        const buffer = is ? playback.trace.buffers[step.records[0].b] : null;
        this.heading(c, "global memory" + (buffer ? `: ${buffer[0]}` : "") +
            (g.small ? "" : ", a box is a sector of 32 bytes, a row 128 bytes"),
        g.global);
        const lines = new Map();
        if (is)
            for (const r of step.records)
                for (const s of sectorsOf(r)) {
                    const line = Math.floor(s.sector / 4);
                    if (!lines.has(line)) lines.set(line, new Set());
                    lines.get(line).add(s.sector);
                }
        const keys = [...lines.keys()].sort((a, b) => a - b);
        for (const [row, key] of keys.slice(0, this.lines).entries()) {
            this.label(c, g.small ? "" : `${key * 32}`, g.left - 5,
                g.global + (row + 0.5) * g.line);
            for (let s = 0; s < 4; s++)
                this.sectorBox(c, row, s, lines.get(key).has(4 * key + s));
        }
        for (let row = keys.length; row < this.lines; row++)
            for (let s = 0; s < 4; s++) this.sectorBox(c, row, s, false);
        if (keys.length > this.lines)
            this.label(c, `and ${keys.length - this.lines} rows more`,
                g.left + 32 * g.cell, g.global + this.lines * g.line + 6);
        this.linesShown = keys;
        for (const r of is ? step.records : [])
            this.drawn.sectors += step.kind === "atomic" ? 0
                : sectorsOf(r).length;
        if (is) this.drawElements(c, step, keys);
    }

    sectorBox(c, row, sector, touched) {
        const g = this.g, x = g.left + sector * 8 * g.cell;
        const y = g.global + row * g.line;
        c.strokeStyle = touched ? this.accessColour() : this.colour.line;
        c.lineWidth = touched ? 2 : 1;
        c.strokeRect(x + 1, y + 1, 8 * g.cell - 3, g.line - 3);
        c.lineWidth = 1;
    }

    drawElements(c, step, keys) {
        const g = this.g;
        for (const r of step.records)
            r.lanes.forEach((lane, k) => {
                const row = keys.indexOf(Math.floor(r.at[k] / 128));
                if (row < 0 || row >= this.lines) return;
                const words = Math.max(1, Math.round(r.z / 4));
                const x = g.left + Math.floor(r.at[k] % 128 / 4) * g.cell;
                c.fillStyle = this.accessColour();
                c.globalAlpha = 0.85;
                c.fillRect(x + 2, g.global + row * g.line + 3,
                    words * g.cell - 5, g.line - 7);
                c.globalAlpha = 1;
            });
    }

    // Everybody who adds to global memory stands in line; this block's share
    // is filled as it comes.
    drawQueue(c) {
        const { g, colour, playback } = this;
        const queue = playback.trace.queue;
        const all = queue.reduce((sum, q) => sum + q[1], 0);
        const width = 32 * g.cell;
        this.heading(c, g.small ? `queue of atomics: ${all}`
            : `queue of the launch's ${all} atomics on global memory, ` +
            `block by block; ours is framed`, g.queue);
        let x = g.left;
        for (const [block, lanes] of queue) {
            const w = width * lanes / all;
            const ours = block === playback.trace.block;
            c.fillStyle = ours ? colour.ready : colour.masked;
            c.fillRect(x, g.queue, Math.max(1, w - 1), 16);
            if (ours) {
                const share = Math.min(1, playback.totals.atomics / lanes);
                c.fillStyle = colour.write;
                c.fillRect(x, g.queue, Math.max(share ? 2 : 0, share * (w - 1)),
                    16);
                c.strokeStyle = colour.text;
                c.strokeRect(x + 0.5, g.queue + 0.5, Math.max(2, w - 2), 15);
                this.drawn.queued = playback.totals.atomics;
            }
            if (w > 40)
                this.label(c, `block ${block}: ${lanes}`, x + w / 2,
                    g.queue + 24, "center");
            x += w;
        }
    }

    // Both threads of a race, or the one that did wrong.
    drawMarks(c) {
        const block = this.playback.trace.block;
        for (const { finding } of this.marks) {
            const threads = [];
            if (finding.block === block) threads.push(finding.thread);
            if (finding.other_block === block)
                threads.push(finding.other_thread);
            for (const t of threads) {
                const [x, y] = this.laneBox(t);
                c.strokeStyle = this.colour.alarm;
                c.lineWidth = 3;
                c.strokeRect(x - 2, y - 2, this.g.cell + 3, this.g.height + 3);
                c.lineWidth = 1;
            }
            this.drawn.marked = threads;
        }
    }

    // ---- what moves ------------------------------------------------------------

    // The share `t` of the step is over, 0 to 1.
    frame(t) {
        const c = this.moving.getContext("2d"), step = this.playback.step;
        c.clearRect(0, 0, this.g.width, this.g.bottom);
        this.drawn.arrows = 0;
        if (!step) return;
        for (const r of step.records) {
            if (step.shared && r.at) this.moveShared(c, step, r, t);
            else if (step.kind === "shuffle") this.moveShuffle(c, r, t);
            else if (step.kind === "load" && r.at && r.b !== undefined)
                this.moveGlobal(c, r, t);
            else if (step.kind === "atomic" && this.hasQueue)
                this.moveQueue(c, r, t);
        }
    }

    arrow(c, from, to, t, colour) {
        const x = from[0] + (to[0] - from[0]) * t;
        const y = from[1] + (to[1] - from[1]) * t;
        c.strokeStyle = c.fillStyle = colour;
        c.globalAlpha = 0.35;
        c.beginPath();
        c.moveTo(from[0], from[1]);
        c.lineTo(x, y);
        c.stroke();
        c.globalAlpha = 1;
        this.drawn.arrows++;
        if (t >= 1) return; // a dot would hide the value
        c.beginPath();
        c.arc(x, y, this.g.small ? 2 : 3, 0, 7);
        c.fill();
    }

    moveShared(c, step, record, t) {
        const passes = new Map(); // lane -> its place in its bank's queue
        for (const bank of bankPasses(record))
            bank.forEach((pass, k) => pass.lanes.forEach(lane =>
                passes.set(lane, Math.max(k, passes.get(lane) || 0))));
        const count = Math.max(1, record.c);
        record.lanes.forEach((lane, k) => {
            const place = passes.get(lane) || 0;
            const u = Math.max(0, Math.min(1,
                (t * (count + 1) - place) / 2));
            const lanePlace = this.middle(this.laneBox(record.w * 32 + lane));
            const word = this.middle(this.wordBox(Math.floor(record.at[k] / 4)));
            const colour = place > 0 ? this.colour.conflict
                : this.accessColour();
            if (step.kind === "load")
                this.arrow(c, word, lanePlace, u, colour);
            else
                this.arrow(c, lanePlace, word, u, colour);
        });
    }

    moveShuffle(c, record, t) {
        record.lanes.forEach((lane, k) => {
            const source = record.s[k];
            if (source === lane) return;
            const from = this.middle(this.laneBox(record.w * 32 + source));
            const to = this.middle(this.laneBox(record.w * 32 + lane));
            const lift = Math.min(this.g.height * 0.9,
                4 + Math.abs(from[0] - to[0]) / 12);
            const x = from[0] + (to[0] - from[0]) * t;
            const y = from[1] - lift * 4 * t * (1 - t);
            c.strokeStyle = c.fillStyle = this.colour.write;
            c.globalAlpha = 0.4;
            c.beginPath();
            c.moveTo(from[0], from[1]);
            c.quadraticCurveTo((from[0] + to[0]) / 2, from[1] - 2 * lift,
                to[0], to[1]);
            c.stroke();
            c.globalAlpha = 1;
            this.drawn.arrows++;
            if (t >= 1) return;
            c.beginPath();
            c.arc(x, y, this.g.small ? 2 : 3, 0, 7);
            c.fill();
        });
    }

    moveGlobal(c, record, t) {
        const g = this.g;
        record.lanes.forEach((lane, k) => {
            const row = this.linesShown.indexOf(Math.floor(record.at[k] / 128));
            if (row < 0 || row >= this.lines) return;
            const x = g.left + (Math.floor(record.at[k] % 128 / 4) + 0.5) *
                g.cell;
            const from = [x, g.global + (row + 0.5) * g.line];
            this.arrow(c, from, this.middle(this.laneBox(record.w * 32 + lane)),
                t, this.colour.read);
        });
    }

    // One after the other through the booth.
    moveQueue(c, record, t) {
        const g = this.g, queue = this.playback.trace.queue;
        const all = queue.reduce((sum, q) => sum + q[1], 0);
        let before = 0;
        for (const [block, lanes] of queue) {
            if (block === this.playback.trace.block) break;
            before += lanes;
        }
        const x = g.left + 32 * g.cell * Math.min(1,
            (before + this.playback.totals.atomics) / all);
        record.lanes.forEach((lane, k) => {
            const u = Math.max(0, Math.min(1,
                (t * (record.lanes.length + 3) - k) / 4));
            this.arrow(c, this.middle(this.laneBox(record.w * 32 + lane)),
                [x, g.queue + 8], u, this.colour.write);
        });
    }

    // What lies under a point of the picture, in words.
    explain(x, y) {
        const { g, playback } = this;
        const column = Math.floor((x - g.left) / g.cell);
        if (column < 0 || column > 31) return "";
        const warp = Math.floor((y - g.threads) / g.height);
        if (warp >= 0 && warp < playback.trace.warps) {
            const t = warp * 32 + column;
            if (t >= playback.trace.threads) return "";
            const value = valueText(playback.values[t], 9);
            return `thread ${t} (warp ${warp}, lane ${column}): ` +
                STATE_NAMES[playback.lanes[t]] + (value ? `, saw ${value} last` : "");
        }
        const row = Math.floor((y - g.shared) / g.height);
        if (!this.hasShared || row < 0 || row >= this.rows) return "";
        const word = row * 32 + column;
        if (word * 4 >= playback.trace.shared.bytes) return "";
        const value = playback.shared.get(word);
        return `shared word ${word}, bank ${column}: ` +
            (value === undefined ? "nobody has written it"
                : valueText(value, 9));
    }
}
