// The report: everything is in the JSON that `lab report` wrote.
import { bars, roofline, shortNumber, stacks } from "./charts.js";

const data = JSON.parse(document.getElementById("data").textContent);
const SHARES = ["memory bandwidth", "memory latency", "issue", "arithmetic",
    "shared memory", "barriers", "shuffles", "atomics", "launch"];
const COLOURS = ["#0072b2", "#56b4e9", "#e69f00", "#9a7d0a", "#cc79a7",
    "#d55e00", "#6b4c9a", "#a31621", "#777777"];
const COUNTERS = [
    ["warp instructions ~", "smsp__inst_executed.sum"],
    ["barriers", "lab__barriers.sum"],
    ["shared passes", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
    ["of them conflicts",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"],
    ["shuffles", "lab__shuffles.sum"],
    ["global loads", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"],
    ["sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"],
    ["atomics", "lab__atomics_global_threads.sum"],
];
const LANES = "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio";
const COSTS = ["instructions", "passes", "conflicts", "sectors", "barriers",
    "shuffles", "atomics"];

function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes))
        made.setAttribute(key, value);
    made.append(...children);
    return made;
}

function section(id, title, note) {
    const made = element("section", { id }, element("h2", {}, title));
    if (note) made.append(element("p", { class: "note" }, note));
    document.getElementById("page").append(made);
    return made;
}

function timeText(us) {
    return us >= 999.5 ? `${Number((us / 1000).toPrecision(4))} ms`
        : `${Number(us.toPrecision(4))} µs`;
}

function table(host, head, rows) {
    const body = element("tbody");
    for (const cells of rows) {
        const row = element("tr");
        for (const cell of cells) {
            const [words, kind] = Array.isArray(cell) ? cell : [cell, ""];
            row.append(element("td", kind ? { class: kind } : {}, words));
        }
        body.append(row);
    }
    const made = element("table", {}, element("thead", {}, element("tr", {},
        ...head.map(h => element("th", { scope: "col" }, h)))), body);
    host.append(element("div", { class: "scroll" }, made));
    return made;
}

// Time by the clock of a GPU if there was one, else by the model.
const stages = data.stages.map(stage => {
    const time = stage.measured || (stage.run && stage.run.time);
    return { ...stage, us: time ? time.us : null, gbps: time ? time.gbps : null };
});
const timed = stages.filter(s => s.us > 0);
const isMeasured = timed.some(s => s.measured);
const bytes = 4 * data.n;
// The limit is of the GPU whose times these are.  If that is not the one of the
// profile, all that is known of it is how fast it copies.
const isOther = isMeasured && data.clock && !data.device.includes(data.gpu.title);
const limitGbps = isOther ? data.clock.copy_gbps : data.gpu.dram_gbps;
const limitUs = bytes / limitGbps / 1000;
const origin = isMeasured ? "measured" : "modelled";

function about() {
    const where = isMeasured ? `on the ${data.device}`
        : `modelled for an ${data.gpu.title}; run on the ${data.device}`;
    const folder = data.from === "solutions" ? "the reference solutions"
        : `the kernels of ${data.from}`;
    document.getElementById("about").textContent =
        `${folder}, n = ${data.n.toLocaleString("en")} floats, ${where}, ` +
        `${data.made}`;
}

function overview() {
    const host = section("table", "The ladder", `Time is ${origin}. The limit ` +
        `is the time in which ${isOther ? "this GPU" : data.gpu.title} can ` +
        `read the input once, at the ${shortNumber(limitGbps)} GB/s ` +
        `${isOther ? "at which it copies" : "that the best kernels reach"}: ` +
        `${timeText(limitUs)}.`);
    const rows = stages.map(s => {
        const at = timed.indexOf(s), r = s.run;
        if (!s.us) return [s.number, s.title, "", "", "", "", "",
            [s.error ? "could not run" : r.verdict, "bad"]];
        const before = at > 0 ? timed[at - 1].us / s.us : 1;
        return [s.number, s.title, timeText(s.us), s.gbps.toFixed(0),
            `${(100 * limitUs / s.us).toFixed(1)} %`,
            `${shortNumber(timed[0].us / s.us)}×`, `${before.toFixed(2)}×`,
            [r.verdict, r.passed ? "good" : "bad"]];
    });
    const made = table(host, ["", "stage", "time", "GB/s", "of the limit",
        `than ${timed.length ? timed[0].number : "the first"}`,
        "than the one before", "verdict"], rows);
    for (const row of made.rows)
        if (row.cells[1]) row.cells[1].style.textAlign = "left";
}

function charts() {
    const host = section("time", "Time and bandwidth");
    const pair = host.appendChild(element("div", { class: "pair" }));
    const left = pair.appendChild(element("div"));
    const right = pair.appendChild(element("div"));
    left.append(element("h3", {}, `time, ${origin}, logarithmic`));
    bars(left, { label: "time of each stage", log: true, unit: "µs",
        rows: timed.map(s => ({ label: s.number, value: s.us,
            text: timeText(s.us) })),
        limits: [{ value: limitUs, label: `limit ${timeText(limitUs)}` }] });
    right.append(element("h3", {}, "bandwidth"));
    const limits = [{ value: limitGbps, label:
        `${isOther ? "copying" : "best kernels"} ${shortNumber(limitGbps)} GB/s` }];
    if (!isOther)
        limits.push({ value: data.gpu.dram_peak_gbps, dash: true,
            label: `data sheet ${shortNumber(data.gpu.dram_peak_gbps)} GB/s` });
    bars(right, { label: "bandwidth of each stage", unit: "GB/s", limits,
        rows: timed.map(s => ({ label: s.number, value: s.gbps,
            text: s.gbps.toFixed(0) })) });
}

function speedUps() {
    const host = section("speedup", "Speed-up");
    const pair = host.appendChild(element("div", { class: "pair" }));
    const left = pair.appendChild(element("div"));
    const right = pair.appendChild(element("div"));
    left.append(element("h3", {}, `over ${timed[0].number}, logarithmic`));
    bars(left, { label: "speed-up over the first stage", log: true, unit: "×",
        low: 0.6, rows: timed.map(s => ({ label: s.number,
            value: timed[0].us / s.us,
            text: `${shortNumber(timed[0].us / s.us)}×` })) });
    right.append(element("h3", {}, "over the stage before"));
    const steps = timed.slice(1).map((s, k) => ({ label: s.number,
        value: timed[k].us / s.us }));
    const cap = Math.max(2.5, ...steps.slice(1).map(s => s.value)) * 1.05;
    bars(right, { label: "speed-up over the stage before", unit: "×",
        high: cap, limits: [{ value: 1, label: "no gain" }],
        rows: steps.map(s => ({ ...s, text: `${s.value.toFixed(2)}×`,
            value: Math.min(s.value, cap) })) });
    if (steps.length && steps[0].value > cap)
        right.append(element("p", { class: "note" },
            `The bar of ${steps[0].label} is cut: ` +
            `${steps[0].value.toFixed(0)}×.`));
}

function roof() {
    const host = section("roofline", "Roofline", "A sum does one addition for " +
        "four bytes, a quarter of an addition a byte: far left of the knee, so " +
        "the slope (memory) is the roof that counts. Stages differ in how far " +
        "below it they stay.");
    roofline(host, { label: "roofline of all stages",
        memory: limitGbps, peak: isOther ? limitGbps : data.gpu.dram_peak_gbps,
        compute: data.gpu.add_gflops,
        points: timed.map(s => ({ label: s.number,
            x: data.n / ((s.run.time && s.run.time.dram_bytes) || bytes),
            y: data.n / s.us / 1000 })) });
}

function shares() {
    const modelled = stages.filter(s => s.run && s.run.time);
    if (!modelled.length) return;
    const host = section("shares", "Where the time goes", "By the time model: " +
        "what the launch waited for, in shares of its time.");
    const colours = Object.fromEntries(SHARES.map((n, k) => [n, COLOURS[k]]));
    const used = SHARES.filter(n => modelled.some(s =>
        (s.run.time.shares[n] || 0) > 0.005));
    host.append(element("div", { class: "legend" }, ...used.map(n =>
        element("span", { style: `--c: ${colours[n]}` }, n))));
    stacks(host, { label: "where the time of each stage goes", colours,
        rows: modelled.map(s => ({ label: s.number, parts: SHARES.map(n =>
            ({ name: n, share: s.run.time.shares[n] || 0 })) })) });
}

function counters() {
    const counted = stages.filter(s => s.counted);
    if (!counted.length) return;
    const host = section("counters", "Counters, for a thousand elements",
        `Counted on ${counted[0].counted.n.toLocaleString("en")} elements, ` +
        "once a warp (sectors: 32 bytes; atomics: once a thread). ~ is an " +
        "estimate of what the hardware's compiler makes; the others are exact.");
    table(host, ["", ...COUNTERS.map(c => c[0]), "lanes at work ~"],
        counted.map(s => [s.number, ...COUNTERS.map(([, ...names]) => {
            const sum = names.reduce((a, n) => a +
                (s.counted.counters[n] || 0), 0);
            return shortNumber(1000 * sum / s.counted.n);
        }), `${(s.counted.counters[LANES] || 0).toFixed(1)} of 32`]));
}

function sources() {
    const host = section("source", "What each line costs");
    const pick = host.appendChild(element("select", { id: "cost",
        "aria-label": "which cost" }));
    for (const cost of COSTS)
        pick.append(element("option", { value: cost }, cost === "instructions"
            ? "warp instructions" : cost === "passes"
                ? "shared memory passes" : cost));
    const boxes = stages.filter(s => s.source && s.counted).map(stage => {
        const body = element("tbody");
        const box = element("details", {}, element("summary", {},
            `${stage.name}: ${stage.idea}`), element("div",
            { class: "code mono" }, element("table", {}, body)));
        host.append(box);
        return { stage, body };
    });
    const fill = () => boxes.forEach(({ stage, body }) =>
        heat(stage, body, pick.value));
    pick.addEventListener("change", fill);
    fill();
}

function heat(stage, body, cost) {
    const values = new Map(stage.counted.lines.map(l => [l.line, l[cost] || 0]));
    const all = [...values.values()].reduce((a, b) => a + b, 0);
    const most = Math.max(1, ...values.values());
    const worst = new Map(stage.counted.lines.filter(l => l.worst)
        .map(l => [l.line, l.worst]));
    const lines = stage.source.replace(/\n$/, "").split("\n");
    body.replaceChildren(...lines.map((line, k) => {
        const value = values.get(k + 1) || 0;
        const bar = element("span", { style: `width: ${100 * value / most}%` });
        const note = worst.has(k + 1) ? `  ${worst.get(k + 1)}-way` : "";
        return element("tr", {}, element("td", { class: "heat",
            title: `${value} ${cost}` }, bar),
        element("td", { class: "share" }, value
            ? `${(100 * value / all).toFixed(value < all / 100 ? 1 : 0)} %` +
            note : ""),
        element("td", { class: "number" }, String(k + 1)),
        element("td", { class: "text" }, line));
    }));
}

function findings() {
    const host = section("findings", "Findings");
    const list = element("ul");
    for (const s of stages) {
        if (s.error) list.append(element("li", {}, `${s.name}: ${s.error}`));
        if (s.measured && s.measured.wrong)
            list.append(element("li", {}, `${s.name}: wrong in ` +
                `${s.measured.wrong} timed runs`));
        if (!s.run) continue;
        if (s.run.reason)
            list.append(element("li", {}, `${s.name}: ${s.run.reason}`));
        for (const f of s.run.findings)
            list.append(element("li", {}, `${s.name}, line ${f.line || "?"}: ` +
                `${f.kind}: ${f.message}`));
    }
    host.append(list.children.length ? list
        : element("p", {}, "None: all stages give the right sum, and no check " +
            "found anything."));
}

function how() {
    const host = section("how", "How this was made");
    const compilers = [...new Set(stages.map(s => s.run && s.run.compiler)
        .filter(Boolean))].join(", ");
    const first = stages.find(s => s.run);
    table(host, ["", ""], [
        ["device", data.device],
        ["time", isMeasured ? "measured on the device"
            : `modelled for ${data.gpu.title}` + (data.gpu.is_measured
                ? "; the model was held against this GPU"
                : "; from data sheets, not held against this GPU")],
        ...(data.clock ? [["copy on the device",
            `${data.clock.copy_gbps.toFixed(0)} GB/s`]] : []),
        ["device compiler", compilers || "none"],
        ["data", first ? `${first.run.data}, seed ${first.run.seed}` : ""],
        ["made", data.made],
    ]).querySelectorAll("td").forEach(td => { td.style.textAlign = "left"; });
    host.append(element("pre", { class: "how" }, `${data.command}\n` +
        stages.filter(s => s.run).slice(0, 1).map(s => `make trace LAB=` +
            `${s.number}      # one block of it, step by step`).join("\n")));
}

about();
overview();
if (timed.length > 1) {
    charts();
    speedUps();
    roof();
}
shares();
counters();
sources();
findings();
how();
window.report = { data, stages: timed, limitUs };
