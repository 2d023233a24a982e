// The page: one or two recorded blocks, played in step.
import { Playback } from "./model.js";
import { summary, stepText } from "./words.js";
import { Picture } from "./draw.js";
import { Source, Totals, element, legend, verdict } from "./source.js";

const STEP_MS = 1100; // of a step, at speed 1

class Player {
    constructor(host, run, go, isOne) {
        const box = element("section", { class: "run" });
        this.playback = new Playback(run);
        const r = run.result, t = run.trace;
        const facts = `${run.title ? `${run.title}. ` : ""}Block ${t.block} ` +
            `of ${t.blocks}, ${t.threads} threads, n = ${r.n}, ` +
            `${r.data}; ${this.playback.steps.length} steps.` +
            (t.in_step ? "" : " The warps depend on each other without a " +
                "barrier: shown in the order of the simulator.") +
            (t.cut ? " It goes on; only the beginning is shown." : "");
        if (!isOne) box.append(element("h2", {}, run.name));
        const left = element("div");
        left.append(element("p", { class: "facts" }, facts));
        legend(left);
        const picture = element("div", { class: "picture", role: "img",
            "aria-label": "the threads and the memory of the block" });
        this.detail = element("p", { class: "detail" });
        left.append(picture, this.detail);
        const side = element("div", { class: "side" });
        box.append(left, side);
        host.append(box);
        this.source = new Source(side, run);
        this.totals = new Totals(side, run);
        this.findings = verdict(side, this.playback, go);
        this.picture = new Picture(picture, this.playback);
        picture.addEventListener("pointermove", e => this.explain(e));
        picture.addEventListener("pointerdown", e => this.explain(e));
    }

    explain(event) {
        const box = this.picture.host.getBoundingClientRect();
        this.detail.textContent = this.picture.explain(
            event.clientX - box.left, event.clientY - box.top);
    }

    show(step) {
        this.playback.go(step);
        const marks = this.findings.filter(f => step > 0 &&
            (f.step === step || f.other === step));
        this.picture.marks = marks;
        this.picture.draw();
        this.source.light(this.playback.step, marks.flatMap(f =>
            [f.finding.line, f.finding.other_line]).filter(l => l > 0));
        this.totals.show(this.playback);
    }
}

class Page {
    constructor(data) {
        this.data = data;
        this.reduced = matchMedia("(prefers-reduced-motion: reduce)");
        this.byId = id => document.getElementById(id);
        const runs = this.byId("runs");
        if (data.runs.length > 1) runs.className = "compare";
        const go = step => { this.pause(); this.go(step); };
        this.players = data.runs.map(run =>
            new Player(runs, run, go, data.runs.length === 1));
        this.length = Math.max(...this.players.map(p =>
            p.playback.steps.length));
        this.step = 0;
        this.playing = false;
        this.frames = []; // times of drawn frames, for the test
        this.head();
        this.flags();
        this.listen();
        this.go(this.stepOfLink());
    }

    head() {
        const names = this.data.runs.map(run => run.name);
        this.byId("title").textContent = names.join(" beside ");
        this.byId("about").textContent = this.data.runs
            .map(run => run.idea).filter(Boolean).join("; ");
        this.byId("scrub").max = String(this.length);
    }

    flags() {
        const host = this.byId("flags");
        this.players[0].playback.steps.forEach((step, k) => {
            if (step.kind !== "open") return;
            const tick = element("i", { title: "the barrier opens" });
            tick.style.left = `${100 * (k + 1) / this.length}%`;
            host.append(tick);
        });
        const seen = new Set();
        for (const player of this.players)
            for (const { finding, step, other } of player.findings)
                for (const at of [step, other]) {
                    if (at === null || seen.has(at)) continue;
                    seen.add(at);
                    const flag = element("button", { title:
                        `${finding.kind}, line ${finding.line}`,
                    "aria-label": `to step ${at}: ${finding.kind}` }, "⚑");
                    flag.style.left = `${100 * at / this.length}%`;
                    flag.addEventListener("click", () => {
                        this.pause();
                        this.go(at);
                    });
                    host.append(flag);
                }
        this.flagSteps = [...seen].sort((a, b) => a - b);
    }

    stepOfLink() {
        const step = Number((location.hash || "").replace(/^#(step=)?/, ""));
        return Number.isInteger(step) ? step : 0;
    }

    listen() {
        const on = (id, what) => this.byId(id).addEventListener("click", what);
        on("play", () => this.playing ? this.pause() : this.play());
        on("first", () => this.jump(0));
        on("last", () => this.jump(this.length));
        on("back", () => this.jump(this.step - 1));
        on("forward", () => this.jump(this.step + 1));
        this.byId("scrub").addEventListener("input", e =>
            this.jump(Number(e.target.value)));
        document.addEventListener("keydown", e => this.key(e));
        addEventListener("hashchange", () => {
            if (this.stepOfLink() !== this.step) this.go(this.stepOfLink());
        });
        let width = innerWidth;
        addEventListener("resize", () => {
            if (innerWidth === width) return;
            width = innerWidth;
            for (const p of this.players) p.picture.layout();
        });
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change",
            () => this.players.forEach(p => p.picture.layout()));
    }

    key(e) {
        if (e.ctrlKey || e.metaKey || e.altKey) return;
        const on = e.target.tagName;
        if (on === "SELECT" || (on === "BUTTON" && e.key === " ")) return;
        const next = this.flagSteps.find(s => s > this.step);
        const keys = {
            " ": () => this.playing ? this.pause() : this.play(),
            ArrowRight: () => this.jump(this.step + 1),
            ArrowLeft: () => this.jump(this.step - 1),
            Home: () => this.jump(0),
            End: () => this.jump(this.length),
            n: () => this.jump(next || this.flagSteps[0] || this.step),
        };
        if (!keys[e.key]) return;
        e.preventDefault();
        keys[e.key]();
    }

    jump(step) {
        this.pause();
        this.go(step);
    }

    go(step) {
        this.step = Math.max(0, Math.min(this.length, step));
        for (const p of this.players) p.show(this.step);
        this.byId("scrub").value = String(this.step);
        this.byId("count").textContent = `step ${this.step} of ${this.length}`;
        this.byId("link").href = `#${this.step}`;
        this.tell();
    }

    // While it plays, a reader of the screen is not told every step.
    tell() {
        const now = this.byId("now");
        now.setAttribute("aria-live", this.playing ? "off" : "polite");
        now.textContent = this.players.map(p => {
            const done = this.step > p.playback.steps.length;
            const text = done
                ? `it was done after ${p.playback.steps.length} steps`
                : this.playing ? stepText(p.playback.step, p.playback.run)
                    : summary(p.playback);
            return this.players.length > 1
                ? `${p.playback.run.name}: ${text}` : text;
        }).join(" — ");
        this.byId("line").textContent = this.players
            .map(p => p.source.lit).filter(Boolean)
            .map(l => `${l.getAttribute("value")}  ${l.textContent.trim()}`)
            .join("   |   ");
        this.byId("scrub").setAttribute("aria-valuetext", now.textContent);
        clearTimeout(this.linking);
        if (!this.playing)
            this.linking = setTimeout(() => {
                if (this.stepOfLink() !== this.step)
                    location.replace(`#${this.step}`);
            }, 400);
    }

    play() {
        if (this.step >= this.length) this.go(0);
        this.playing = true;
        this.byId("play").textContent = "pause";
        this.started = null;
        this.go(this.step + 1);
        requestAnimationFrame(now => this.frame(now));
    }

    pause() {
        if (!this.playing) return;
        this.playing = false;
        this.byId("play").textContent = "play";
        for (const p of this.players) p.picture.frame(1);
        this.tell();
    }

    frame(now) {
        if (!this.playing) return;
        this.frames.push(now);
        if (this.frames.length > 600) this.frames.shift();
        if (this.started === null) this.started = now;
        const long = STEP_MS / Number(this.byId("rate").value);
        const t = (now - this.started) / long;
        if (t >= 1) {
            this.started = now;
            if (this.step >= this.length) {
                this.pause();
                return;
            }
            this.go(this.step + 1);
        }
        const share = this.reduced.matches ? 1 : Math.min(1, t >= 1 ? 0
            : t / 0.7);
        for (const p of this.players)
            if (this.step <= p.playback.steps.length) p.picture.frame(share);
        requestAnimationFrame(next => this.frame(next));
    }
}

window.trace = new Page(JSON.parse(document.getElementById("data")
    .textContent));
