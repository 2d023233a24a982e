// Small charts in SVG.  Each is drawn for the width that it has, so that
// letters keep their size on a phone.
const NS = "http://www.w3.org/2000/svg";

export function svg(name, attributes = {}, ...children) {
    const made = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes))
        made.setAttribute(key, value);
    made.append(...children);
    return made;
}

function text(x, y, words, attributes = {}) {
    const made = svg("text", { x, y, ...attributes });
    made.textContent = words;
    return made;
}

// Draws now and whenever the width changes.
export function chart(host, label, draw) {
    const box = document.createElement("div");
    box.className = "chart";
    host.append(box);
    let last = 0;
    const again = () => {
        const width = Math.max(280, Math.floor(box.clientWidth));
        if (width === last) return;
        last = width;
        const { height, parts } = draw(width);
        box.replaceChildren(svg("svg", { role: "img", "aria-label": label,
            viewBox: `0 0 ${width} ${height}` }, ...parts));
    };
    again();
    addEventListener("resize", again);
    return box;
}

export function shortNumber(value) {
    if (value >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
    if (value >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
    return String(Number(value.toPrecision(3)));
}

function decades(low, high) {
    const list = [];
    for (let d = Math.floor(Math.log10(low)); 10 ** d <= high * 1.001; d++)
        if (10 ** d >= low * 0.999) list.push(10 ** d);
    return list;
}

function evenTicks(high) {
    const rough = high / 4, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].map(k => k * power).find(s => s >= rough);
    const list = [];
    for (let v = 0; v <= high * 1.001; v += step) list.push(v);
    return list;
}

// rows: {label, value, text, colour}; limits: {value, label}
export function bars(host, { label, rows, log, limits = [], unit, low, high }) {
    const row = 25, top = 8 + 16 * limits.length, left = 46;
    return chart(host, label, width => {
        const right = 74, room = width - left - right;
        const most = high || 1.02 * Math.max(...rows.map(r => r.value),
            ...limits.map(l => l.value));
        const least = log ? low || Math.min(...rows.map(r => r.value),
            ...limits.map(l => l.value)) / 1.6 : 0;
        const place = v => log
            ? left + room * Math.log(Math.max(v, least) / least) /
                Math.log(most / least)
            : left + room * v / most;
        const bottom = top + row * rows.length;
        const parts = [];
        for (const tick of log ? decades(least, most) : evenTicks(most)) {
            const x = place(tick);
            parts.push(svg("line", { x1: x, x2: x, y1: top, y2: bottom,
                class: "grid" }), text(x, bottom + 15, shortNumber(tick),
                { "text-anchor": "middle", class: "faint" }));
        }
        rows.forEach((r, k) => {
            const y = top + row * k, end = place(r.value);
            const bar = svg("rect", { x: left, y: y + 4, height: row - 8,
                width: Math.max(1, end - left), class: "bar",
                "data-value": r.value,
                fill: r.colour || "var(--working)" });
            bar.append(svg("title"));
            bar.firstChild.textContent = `${r.label}: ${r.text}`;
            parts.push(bar, text(left - 6, y + row / 2 + 4, r.label,
                { "text-anchor": "end" }), text(end + 5, y + row / 2 + 4,
                r.text));
        });
        limits.forEach((l, k) => {
            const x = place(l.value);
            parts.push(svg("line", { x1: x, x2: x, y1: top - 4, y2: bottom,
                class: `limit ${l.dash ? "dash" : ""}`,
                "data-value": l.value }),
            text(x, 12 + 16 * k, l.label, { class: "limit-text",
                "text-anchor": x > width / 2 ? "end" : "start" }));
        });
        parts.push(text(width - right + 8, bottom + 15, unit,
            { class: "faint" }));
        return { height: bottom + 22, parts };
    });
}

// rows: {label, parts: [{name, share}]}; colours by name
export function stacks(host, { label, rows, colours }) {
    const row = 25, left = 46, top = 4;
    return chart(host, label, width => {
        const room = width - left - 12, parts = [];
        rows.forEach((r, k) => {
            let x = left;
            const y = top + row * k;
            parts.push(text(left - 6, y + row / 2 + 4, r.label,
                { "text-anchor": "end" }));
            for (const piece of r.parts) {
                const w = room * piece.share;
                if (w < 0.5) continue;
                const box = svg("rect", { x, y: y + 3, width: Math.max(0.5, w - 1),
                    height: row - 6, fill: colours[piece.name],
                    class: "piece", "data-value": piece.share });
                box.append(svg("title"));
                const percent = `${Math.round(100 * piece.share)} %`;
                box.firstChild.textContent =
                    `${r.label}, ${piece.name}: ${percent}`;
                parts.push(box);
                if (w > 38)
                    parts.push(text(x + w / 2, y + row / 2 + 4, percent,
                        { "text-anchor": "middle",
                            style: "fill: #fff; paint-order: stroke; " +
                                "stroke: #0008; stroke-width: 2px" }));
                x += w;
            }
        });
        return { height: top + row * rows.length + 6, parts };
    });
}

// points: {label, x, y}; roofs in GFLOP/s and GB/s
export function roofline(host, { label, points, memory, peak, compute }) {
    return chart(host, label, width => {
        const left = 56, right = 16, top = 26, height = 340, bottom = 300;
        const x0 = 1 / 32, x1 = 64;
        const y0 = Math.min(...points.map(p => p.y)) / 3, y1 = compute * 3;
        const px = x => left + (width - left - right) *
            Math.log(x / x0) / Math.log(x1 / x0);
        const py = y => bottom - (bottom - top) *
            Math.log(y / y0) / Math.log(y1 / y0);
        const parts = [];
        for (const y of decades(y0, y1))
            parts.push(svg("line", { x1: left, x2: width - right, y1: py(y),
                y2: py(y), class: "grid" }), text(left - 6, py(y) + 4,
                shortNumber(y), { "text-anchor": "end", class: "faint" }));
        for (const x of [1 / 16, 1 / 4, 1, 4, 16])
            parts.push(svg("line", { x1: px(x), x2: px(x), y1: top, y2: bottom,
                class: "grid" }), text(px(x), bottom + 16, x < 1 ? `1/${1 / x}`
                : `${x}`, { "text-anchor": "middle", class: "faint" }));
        const roof = (speed, dash) => {
            const knee = compute / speed;
            parts.push(svg("polyline", { class: `roof ${dash}`, points:
                [[x0, speed * x0], [knee, compute], [x1, compute]].map(
                    ([x, y]) => `${px(x)},${py(y)}`).join(" ") }));
        };
        roof(memory, "");
        roof(peak, "dash");
        parts.push(text(px(x0 * 1.1), py(memory * x0 * 5),
            `memory: ${shortNumber(memory)} GB/s`),
        text(px(x1 / 1.1), py(compute) - 8,
            `additions: ${shortNumber(compute)} GFLOP/s`,
            { "text-anchor": "end" }),
        text(width - right, bottom + 32, "additions a byte from DRAM",
            { "text-anchor": "end", class: "faint" }),
        text(left - 48, top - 14, "GFLOP/s", { class: "faint" }));
        parts.push(...dots(points, px, py));
        return { height, parts };
    });
}

// Points that would hide each other's labels share one.
function dots(points, px, py) {
    const parts = [], groups = [];
    for (const p of [...points].sort((a, b) => a.y - b.y)) {
        const x = px(p.x), y = py(p.y), last = groups[groups.length - 1];
        const dot = svg("circle", { cx: x, cy: y, r: 5, class: "dot",
            fill: "var(--write)", "data-value": p.y });
        dot.append(svg("title"));
        dot.firstChild.textContent = `${p.label}: ${shortNumber(p.y)} GFLOP/s`;
        parts.push(dot);
        if (last && last.y - y < 13) last.labels.push(p.label);
        else groups.push({ x, y, labels: [p.label] });
    }
    for (const g of groups)
        parts.push(text(g.x + 9, g.y + 4, g.labels.join(", ")));
    return parts;
}
