"""Opens the pages of all stages from files, drives them as a person would, and
compares what they show with what the simulator counts.

    pages.py LAB      LAB: the program, build/bin/lab

Ends with `N passed, M failed, K skipped`.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from chromium import Chromium

STAGES = ["v0", "v1", "v2", "v3", "v4", "v5", "v6", "x1", "x2"]
BLOCK = 256
COUNTED = {  # row of the page: Nsight Compute's names
    "barriers": ["lab__barriers.sum"],
    "warp_syncs": ["lab__warp_syncs.sum"],
    "shuffles": ["lab__shuffles.sum"],
    "wavefronts": [
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"],
    "conflicts": [
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"],
    "sectors": ["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"],
    "atomics": ["lab__atomics_global_threads.sum"],
}
RACE = """// </script><script>window.broken = 1</script> <!-- <script>
/* <img src=x onerror="window.broken = 2"> &amp; "quotes' \u00e9 \u2028 */
extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    extern __shared__ float s[];
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockDim.x + tid;

    s[tid] = i < n ? in[i] : 0.0f;
    for (unsigned int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride)
            s[tid] += s[tid + stride];
        __syncthreads();
    }
    if (tid == 0)
        atomicAdd(out, s[0]);
}
"""
ENDLESS = """extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    while (threadIdx.x < 32)
        if (n == 1)
            out[0] = in[0];
    __syncthreads();
}
"""
TRAP = """extern "C" __global__ void reduce(const float *in, float *out, size_t n)
{
    if (threadIdx.x == 40)
        __trap();
    atomicAdd(out, in[threadIdx.x]);
}
"""

passed = 0
failures = []


def check(what, good, saw=""):
    global passed
    if good:
        passed += 1
    else:
        failures.append(what)
        print(f"{what}{': ' if saw != '' else ''}{saw}")


class Kit:
    def __init__(self, lab, folder):
        self.lab = lab
        self.folder = folder

    def json(self, *words):
        done = subprocess.run([self.lab, *words, "--json"],
                              capture_output=True, text=True)
        return json.loads(done.stdout)

    def text(self, *words):
        return subprocess.run([self.lab, *words], capture_output=True,
                              text=True).stdout

    def make(self, name, *words, status=0):
        path = os.path.join(self.folder, name + ".html")
        done = subprocess.run([self.lab, *words, "--out", path],
                              capture_output=True, text=True)
        check(f"{name}: lab {words[0]} ends with {status}",
              done.returncode == status, done.stderr + done.stdout[-300:])
        check(f"{name}: under a megabyte", os.path.getsize(path) < 1000000,
              os.path.getsize(path))
        return "file://" + path


def quiet(name, page):
    """Nothing went wrong, nobody was asked for anything."""
    check(f"{name}: no console error", page.errors == [], page.errors)
    check(f"{name}: no request", page.requests == [], page.requests)
    page.close()


def state(page, what, player=0):
    return page.eval(f"trace.players[{player}].{what}")


def rows_shown(page):
    return page.eval("Object.fromEntries(Object.entries("
                     "trace.players[0].totals.cells).map(([key, cell]) => "
                     "[key, cell.textContent]))")


# ---- one block of every stage, and its numbers -------------------------------

WALK = """(() => {
    const p = trace.players[0], seen = {sectors: 0, degree: 1,
        census: true, lit: true};
    for (let k = 1; k <= trace.length; k++) {
        trace.go(k);
        const d = p.picture.drawn, step = p.playback.step;
        const all = d.working + d.masked + d.waiting + d.exited + d.ready;
        seen.census = seen.census && all === p.playback.trace.threads;
        seen.sectors += d.sectors;
        // a bank's stack is as high as the access takes passes
        if (d.passes && d.stacked) seen.degree = Math.max(seen.degree,
            step.records.reduce((most, r) => Math.max(most, d.highest /
                r.l), 1));
        seen.lit = seen.lit &&
            (step.line === 0 || p.source.litLine() === step.line);
    }
    seen.exited = p.picture.drawn.exited;
    seen.queued = p.picture.drawn.queued;
    return seen;
})()"""


def one_block(kit, browser, stage, items):
    """A launch of one block: the page's totals are the launch's counters."""
    shape = ["--from", "solutions", "--n", str(BLOCK * items),
             "--block", str(BLOCK), "--grid", "1"]
    counted = kit.json("counters", stage, *shape, "--data", "integers")
    page = browser.page(kit.make(f"one-{stage}", "trace", stage, *shape))
    walked = page.eval(WALK)
    shown = rows_shown(page)
    for row, names in COUNTED.items():
        want = sum(counted["counters"].get(n, 0) for n in names)
        got = int(shown.get(row, 0))
        check(f"{stage}: {row} shown {got}, counted {want}", got == want)
    sectors = sum(counted["counters"].get(n, 0) for n in COUNTED["sectors"])
    check(f"{stage}: sectors drawn", walked["sectors"] == sectors,
          f"{walked['sectors']} not {sectors}")
    check(f"{stage}: each thread has one state", walked["census"])
    check(f"{stage}: the step's line is lit", walked["lit"])
    check(f"{stage}: all threads have exited", walked["exited"] == BLOCK,
          walked["exited"])
    check(f"{stage}: the atomics are queued",
          walked["queued"] == int(shown.get("atomics", 0)))
    host = counted["host"]
    share = 100 * host["thread_instructions"] / (32 * host["warp_instructions"])
    check(f"{stage}: share of active lanes",
          shown["share"] == f"{share:.1f} %", shown["share"])
    told = re.search(r"worst: (\d+)-way", kit.text("counters", stage, *shape))
    worst = int(told.group(1)) if told else 1
    check(f"{stage}: the worst conflict is stacked",
          walked["degree"] == worst, f"{walked['degree']}, counted {worst}")
    text = page.eval("document.getElementById('now').textContent")
    check(f"{stage}: the summary is said", f"of {page.eval('trace.length')}" in
          text and f"{BLOCK} exited" in text, text)
    quiet(stage, page)
    return counted


# ---- as a person would -----------------------------------------------------------

def hands(kit, browser):
    address = kit.make("hands", "trace", "v3", "--from", "solutions",
                       "--block", str(BLOCK))
    page = browser.page(address + "#12")
    at = lambda: page.eval("trace.step")
    check("a link opens its step", at() == 12, at())
    page.key("ArrowRight")
    check("right arrow", at() == 13, at())
    page.key("ArrowLeft")
    page.key("ArrowLeft")
    check("left arrow", at() == 11, at())
    page.key("End")
    check("End", at() == page.eval("trace.length"), at())
    page.key("Home")
    check("Home", at() == 0, at())
    page.click("#forward")
    check("the button for a step", at() == 1, at())
    page.eval("(() => { const s = document.getElementById('scrub');"
              "s.value = 20; s.dispatchEvent(new Event('input')); })()")
    check("scrubbing", at() == 20 and state(page, "playback.at") == 20, at())
    same = page.eval("(() => { const p = trace.players[0].playback;"
                     "const a = JSON.stringify([[...p.shared], p.values]);"
                     "trace.go(50); trace.go(20);"
                     "return a === JSON.stringify([[...p.shared], p.values]);"
                     "})()")
    check("a step looks the same from both sides", same)
    page.eval("document.activeElement.blur()")
    page.key(" ", "Space")
    check("space plays", page.eval("trace.playing"))
    page.eval("document.getElementById('rate').value = '10'")
    check("steps go by", page.wait("trace.step > 22"), at())
    check("frames are drawn", page.wait("trace.frames.length > 5"))
    page.key(" ", "Space")
    stopped = at()
    check("space pauses", not page.eval("trace.playing"))
    check("the address becomes the step's",
          page.wait(f"location.hash === '#{stopped}'"))
    check("it stays there", at() == stopped, at())
    check("a reader of the screen is told", page.eval(
        "document.getElementById('now').getAttribute('aria-live')")
          == "polite")
    colour(page)
    quiet("hands", page)


def words(kit, browser):
    """What is said of v6: how far shuffles reach, what goes to the sum."""
    page = browser.page(kit.make("words", "trace", "v6", "--from",
                                 "solutions", "--block", "64", "--n", "64",
                                 "--grid", "1"))
    said = page.eval("""trace.players[0].playback.steps.map((s, k) => {
        trace.go(k + 1);
        return document.getElementById('now').textContent; })""")
    far = [s.split("from ")[1].split(" lane")[0] for s in said
           if "to the right (shuffle)" in s]
    check("shuffles say how far", far == ["16", "8", "4", "2", "1"] * 2, far)
    value = page.eval("trace.players[0].playback.run.result.value")
    check("the atomic says what it brings",
          any(f"1 atomic on out, {value:g}." in s for s in said), said[-2:])
    quiet("words", page)


def parted(kit, browser):
    """A branch of v1: cells with a stripe are the lanes that jump."""
    page = browser.page(kit.make("parted", "trace", "v1", "--from",
                                 "solutions", "--block", "64"))
    seen = page.eval("""(() => { const p = trace.players[0], out = [];
        p.playback.steps.forEach((s, k) => { if (s.kind !== 'branch') return;
            trace.go(k + 1); out.push([p.picture.drawn.jumping,
                document.getElementById('now').textContent]); });
        return out; })()""")
    drawn = [d for d, _ in seen if d > 0]
    check("branches that part a warp are drawn so",
          drawn[:3] == [32, 48, 56], drawn)
    check("and told", any("32 jump, 32 go straight on" in t for _, t in seen))
    quiet("parted", page)


def colour(page):
    """What is on the canvas: lane 0 works, lane 255 does not."""
    got = page.eval("""(() => {
        const p = trace.players[0], steps = p.playback.steps;
        trace.go(1 + steps.findIndex(s => s.shared && s.records.length === 1 &&
            s.records[0].lanes.length === 16));
        const often = {willReadFrequently: true};
        const copy = document.createElement('canvas');
        copy.width = p.picture.still.width;
        copy.height = p.picture.still.height;
        const c = copy.getContext('2d', often);
        c.drawImage(p.picture.still, 0, 0);
        const probe = document.createElement('canvas').getContext('2d', often);
        const name = colour => { probe.fillStyle = colour;
            probe.fillRect(0, 0, 1, 1);
            return [...probe.getImageData(0, 0, 1, 1).data].join(); };
        const at = t => { const [x, y] = p.picture.laneBox(t);
            const r = devicePixelRatio;
            return [...c.getImageData((x + 1) * r, (y + 1) * r, 1, 1).data]
                .join(); };
        return [at(0), at(255), name(p.picture.colour.working),
            name(p.picture.colour[['ready', 'working', 'masked', 'waiting',
                'paper'][p.playback.lanes[255]]])]; })()""")
    check("a working lane has its colour", got[0] == got[2], got)
    check("a resting lane has another", got[1] == got[3] != got[2], got)


def side_by_side(kit, browser):
    page = browser.page(kit.make("compare", "compare", "v2", "v3", "--from",
                                 "solutions", "--block", str(BLOCK)))
    degrees = page.eval("""(() => { const out = [1, 1];
        for (let k = 0; k <= trace.length; k++) { trace.go(k);
            trace.players.forEach((p, i) => { if (p.playback.at !== Math.min(k,
                p.playback.steps.length)) out[i] = NaN;
                out[i] = Math.max(out[i], p.playback.degree()); }); }
        return out; })()""")
    check("both go in step; v2 conflicts, v3 does not", degrees == [8, 1],
          degrees)
    said = page.eval("document.getElementById('now').textContent")
    check("both are told", "v2_strided:" in said and "v3_sequential:" in said)
    quiet("compare", page)
    page = browser.page(kit.make("half", "compare", "v3", "v4", "--from",
                                 "solutions"))
    blocks = page.eval("trace.players.map(p => p.playback.trace.queue.length)")
    check("the same elements, half the blocks", blocks == [8, 4], blocks)
    quiet("half", page)
    page = browser.page(kit.make("uneven", "compare", "v1", "v6", "--from",
                                 "solutions"))
    page.key("End")
    said = page.eval("document.getElementById('now').textContent")
    check("the shorter one waits", "it was done after" in said, said)
    quiet("uneven", page)


def shapes(kit, browser):
    address = kit.make("shapes", "trace", "v1", "--from", "solutions",
                       "--block", str(BLOCK))
    wide = "document.documentElement.scrollWidth <= innerWidth"
    back = "getComputedStyle(document.body).backgroundColor"
    light = browser.page(address)
    pale = light.eval(back)
    light.close()
    page = browser.page(address, width=360, height=740, phone=True, dark=True,
                        reduced=True, scale=2)
    check("a phone needs no sideways scrolling", page.eval(wide))
    check("dark is dark", page.eval(back) != pale, pale)
    check("buttons are large enough for a thumb", page.eval(
        "Math.min(...[...document.querySelectorAll('#buttons button')]"
        ".filter(b => b.offsetParent).map(b => b.offsetHeight)) >= 32"))
    page.eval("""(() => { window.seen = [];
        const p = trace.players[0].picture, old = p.frame.bind(p);
        p.frame = t => { window.seen.push(t); old(t); };
        trace.go(15); trace.play(); })()""")
    page.wait("window.seen.length > 10")
    still = page.eval("(trace.pause(), window.seen)")
    check("reduced motion: nothing travels", set(still) == {1}, still[:5])
    quiet("shapes", page)


# ---- the report ----------------------------------------------------------------

def report(kit, browser):
    n = "300000"
    address = kit.make("report", "report", "--n", n)
    page = browser.page(address)
    cells = page.eval("[...document.querySelectorAll('#table tbody tr')].map("
                      "r => [...r.cells].map(c => c.textContent))")
    check("report: a row a stage", [c[0] for c in cells] == STAGES, cells)
    run = kit.json("run", "v4", "--n", n, "--from", "solutions")
    time_us = run["time"]["us"]
    check("report: the time of v4", cells[4][2] == f"{time_us:.4g} µs",
          f"{cells[4]} {time_us}")
    limit = 4e-3 * float(n) / page.eval("report.data.gpu.dram_gbps")
    check("report: its share of the limit",
          cells[4][4] == f"{100 * limit / time_us:.1f} %", cells[4])
    drawn = page.eval("[...document.querySelectorAll('#time .bar')].map("
                      "b => Number(b.dataset.value))")
    check("report: two bars a stage", len(drawn) == 2 * len(STAGES), drawn)
    check("report: the bar of v4 is its time",
          abs(drawn[4] / time_us - 1) < 1e-6, drawn)
    check("report: the limit is drawn", abs(page.eval(
        "Number(document.querySelector('#time .limit').dataset.value)") /
        limit - 1) < 1e-6)
    roof = page.eval("document.querySelectorAll('#roofline .dot').length")
    check("report: a dot a stage", roof == len(STAGES), roof)
    pieces = page.eval("[...document.querySelectorAll('#shares .piece')]"
                       ".reduce((a, p) => a + Number(p.dataset.value), 0)")
    check("report: the shares are whole", 8.9 < pieces < 9.01, pieces)
    counted = kit.json("counters", "v2", "--n", n, "--from", "solutions")
    barriers = 1000 * counted["counters"]["lab__barriers.sum"] / float(n)
    shown = page.eval("document.querySelectorAll('#counters tbody tr')[2]"
                      ".cells[2].textContent")
    check("report: barriers of v2", shown == f"{barriers:.3g}", shown)
    page.eval("(() => { const s = document.getElementById('cost');"
              "s.value = 'conflicts'; s.dispatchEvent(new Event('change'));"
              "})()")
    hot = page.eval("[...document.querySelectorAll('#source details')[2]"
                    ".querySelectorAll('tr')].filter(r => parseFloat("
                    "r.cells[1].textContent) > 0).map(r => "
                    "r.cells[3].textContent.trim())")
    check("report: the line with the conflicts",
          hot == ["s[k] += s[k + stride];"], hot)
    check("report: small", os.path.getsize(address[7:]) < 500000)
    quiet("report", page)
    odd = os.path.join(kit.folder, "mine")
    for stage, text in [("v1_interleaved", RACE), ("v0_atomic", TRAP)]:
        os.makedirs(os.path.join(odd, stage))
        write(kit, os.path.join("mine", stage, "kernel.cu"), text)
    page = browser.page(kit.make("report-odd", "report", "--n", "1000",
                                 "--from", odd, status=2),
                        width=360, height=740, phone=True, dark=True)
    check("report: no text of a student's file runs",
          page.eval("window.broken === undefined"))
    told = page.eval("document.getElementById('findings').textContent")
    check("report: a race is told", "v1_interleaved, line" in told and
          "race on s[" in told, told[:300])
    check("report: what is missing is told", "v3_sequential: " in told)
    check("report: a phone needs no sideways scrolling", page.eval(
        "document.documentElement.scrollWidth <= innerWidth"))
    quiet("report-odd", page)


# ---- kernels that are wrong --------------------------------------------------------

def write(kit, name, text):
    path = os.path.join(kit.folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def wrong_ones(kit, browser):
    race = write(kit, "a<b>&'race.cu", RACE)
    page = browser.page(kit.make("race", "trace", race, "--block", "128",
                                 status=1))
    check("no text of a student's file runs",
          page.eval("window.broken === undefined && "
                    "document.querySelectorAll('img, b').length === 0"))
    check("the source is shown as it is", page.eval(
        "trace.players[0].run === undefined && [...document.querySelectorAll("
        "'.source li')].map(l => l.textContent.trim()).join('\\n')")
          == "\n".join(line.strip() for line in RACE.strip().split("\n")))
    check("the title is the name", "a<b>&'race.cu" in
          page.eval("document.title"), page.eval("document.title"))
    place = page.eval("trace.players[0].findings.map(f => [f.finding.kind, "
                      "f.step, f.other, f.finding.thread, "
                      "f.finding.other_thread])")
    races = [p for p in place if p[0] == "race"]
    check("the race is on the time line", len(races) > 0 and races[0][1] > 0
          and races[0][2] > 0, place)
    page.click("#flags button")
    check("its flag jumps there", page.eval("trace.step") in
          page.eval("trace.flagSteps"))
    page.eval(f"trace.jump({races[0][1]})")
    check("both threads are ringed", sorted(state(
        page, "picture.drawn.marked")) == sorted(races[0][3:5]), races)
    kinds = page.eval(f"[{races[0][1]}, {races[0][2]}].map(k => "
                      "trace.players[0].playback.steps[k - 1].kind).sort()")
    check("one reads and one writes", kinds == ["load", "store"], kinds)
    quiet("race", page)
    broken = write(kit, "broken.cu", "no kernel at all")
    out = os.path.join(kit.folder, "broken.html")
    done = subprocess.run([kit.lab, "trace", broken, "--out", out],
                          capture_output=True, text=True)
    check("what does not compile has no page", done.returncode == 1 and
          not os.path.exists(out), done.stderr)
    for name, text, kind in [("endless", ENDLESS, "stuck"),
                             ("trap", TRAP, "trap")]:
        path = write(kit, name + ".cu", text)
        page = browser.page(kit.make(name, "trace", path, "--block", "64",
                                     status=1))
        kinds = page.eval("trace.players[0].playback.steps.map(s => s.kind)")
        page.key("End")
        check(f"{name}: it is on the page", kind in kinds, set(kinds))
        check(f"{name}: and on the time line",
              page.eval("trace.flagSteps.length") > 0)
        check(f"{name}: who it was is framed", page.eval(
            "trace.flagSteps.some(k => { trace.go(k); const d = "
            "trace.players[0].picture.drawn; return d.marked && "
            "d.marked.length > 0; })"))
        quiet(name, page)


def main():
    items = {"v4": 2, "v5": 2, "v6": 3, "x1": 16, "x2": 16}
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="view-") as folder, \
            Chromium() as browser:
        kit = Kit(sys.argv[1], folder)
        for stage in STAGES:
            one_block(kit, browser, stage, items.get(stage, 1))
        hands(kit, browser)
        parted(kit, browser)
        words(kit, browser)
        side_by_side(kit, browser)
        shapes(kit, browser)
        wrong_ones(kit, browser)
        report(kit, browser)
    print(f"in {time.monotonic() - started:.1f} s")
    print(f"{passed} passed, {len(failures)} failed, 0 skipped")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
