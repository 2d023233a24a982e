"""Stills of every stage for docs/gallery.md, and the page itself.

    gallery.py LAB DOCS     LAB: the program; DOCS: the folder docs/

The pictures are what `lab trace` shows in a headless Chromium, at a step that
shows the stage's idea; the sentence below each is the page's own.
"""
import os
import subprocess
import sys
import tempfile

from chromium import Chromium

BLOCK = "128"
WIDE = {"width": 1060, "height": 1000}
# stage, the step (a test of JavaScript on a step s), how far into it, options
STILLS = [
    ("v0_atomic", "s.kind === 'atomic'", 0.45, []),
    ("v1_interleaved", "s.kind === 'store' && s.shared && "
     "s.records[0].lanes.length === 8", 0.6, []),
    ("v2_strided", "s.kind === 'load' && s.shared && "
     "s.records.some(r => r.c === 8)", 0.55, ["--block", "256"]),
    ("v3_sequential", "s.kind === 'load' && s.shared && "
     "s.records.length === 1", 0.6, []),
    ("v4_first_add", "s.kind === 'load' && !s.shared && "
     "k > all.findIndex(t => t.kind === 'load')", 0.6, []),
    ("v5_unroll_last_warp", "s.kind === 'load' && s.shared && s.line < 25",
     0.6, []),
    ("v6_gridstride_shuffle", "s.kind === 'shuffle'", 0.5, []),
    ("x1_vectorized", "s.kind === 'load' && !s.shared", 0.5, []),
    ("x2_last_block", "s.kind === 'load' && !s.shared && s.line > 100", 0.5,
     ["--show", "3"]),
]
HEAD = """# Gallery

Every picture here is one step of one block, as `make trace` plays it in a
browser. Your own kernel looks like this, too:

    make trace LAB=v1              # one block of your v1, step by step
    make trace LAB=v1 BLOCK=64     # a smaller one; N= the elements, SHOW= the block
    make compare A=v2 B=v3         # two of them, side by side in step
    make report                    # a page about the whole ladder

What the page can do is in [view.md](view.md). These stills come from `make
gallery`.

"""
COMPARE = """## Two beside each other

`make compare A=v2 B=v3`: the same round of the tree. On the left the lanes ask
few banks for many words, a pass for each; on the right every lane has a bank of
its own.

![v2 and v3 side by side](gallery/compare.png)

## A race

`make trace` of a kernel that lacks a barrier: flags on the time line lead to
the two steps that race, and both threads are framed.

![two threads that race](gallery/race.png)

## The report

`make report` (and `make demo`) writes one page about a run of the ladder: time
and bandwidth with the limit drawn, speed-ups, a roofline, where the time goes,
counters, what each line costs.

![charts of the report](gallery/report.png)
"""


def make(lab, folder, name, *words):
    path = os.path.join(folder, name + ".html")
    subprocess.run([lab, *words, "--out", path], check=False,
                   stdout=subprocess.DEVNULL)
    return "file://" + path


def clip(page, selectors, margin=6):
    boxes = page.eval(
        f"{selectors!r}.map(q => {{ const b = document.querySelector(q)"
        ".getBoundingClientRect();"
        "return [b.left + scrollX, b.top + scrollY, b.right + scrollX, "
        "b.bottom + scrollY]; })")
    left, top = (min(b[i] for b in boxes) - margin for i in (0, 1))
    right, bottom = (max(b[i] for b in boxes) + margin for i in (2, 3))
    return {"x": max(0, left), "y": max(0, top), "width": right - left,
            "height": bottom - top, "scale": 1}


def still(lab, folder, docs, browser, stage, test, share, options):
    page = browser.page(make(lab, folder, stage, "trace", stage, "--from",
                             "solutions", "--block", BLOCK, *options),
                        **WIDE)
    step = page.eval("1 + trace.players[0].playback.steps.findIndex("
                     f"(s, k, all) => {test})")
    if step < 1:
        raise RuntimeError(f"{stage}: no step is like that")
    page.eval(f"trace.jump({step})")
    page.eval(f"trace.players[0].picture.frame({share})")
    page.screenshot(os.path.join(docs, "gallery", f"{stage}.png"),
                    clip=clip(page, [".picture"], 0))
    line = page.eval("document.getElementById('line').textContent")
    said = page.eval("document.getElementById('now').textContent")
    title = page.eval("trace.data.runs[0].title")
    idea = page.eval("trace.data.runs[0].idea")
    page.close()
    number, code = line.split(None, 1) if line else ("?", "")
    return (f"## {stage}: {title[0].lower()}{title[1:]}\n\n"
            f"{idea[0].upper()}{idea[1:]}.\n\n"
            f"![{stage}, {said.split('.')[0].lower()}](gallery/{stage}.png)\n\n"
            f"Line {number}: `{code}`\n\n{wrap(said)}\n\n")


def wrap(text, width=80):
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    return "\n".join(lines + [line])


def others(lab, folder, docs, browser):
    gallery = os.path.join(docs, "gallery")
    page = browser.page(make(lab, folder, "compare", "compare", "v2", "v3",
                             "--from", "solutions", "--block", "256"),
                        width=1190, height=1000)
    step = page.eval("1 + trace.players[0].playback.steps.findIndex(s => "
                     "s.kind === 'load' && s.shared && "
                     "s.records.some(r => r.c === 8))")
    page.eval(f"trace.jump({step})")
    page.eval("trace.players.forEach(p => p.picture.frame(0.6))")
    page.screenshot(os.path.join(gallery, "compare.png"),
                    clip=clip(page, [".picture",
                                     ".run:last-child .picture"], 0))
    page.close()
    page = browser.page(make(lab, folder, "race", "trace",
                             "tests/kernels/bad_syn_01_missing_barrier.cu"),
                        **WIDE)
    race = page.eval("trace.players[0].findings.find("
                     "f => f.finding.kind === 'race').step")
    page.eval(f"trace.jump({race})")
    page.screenshot(os.path.join(gallery, "race.png"),
                    clip=clip(page, [".picture", "#controls"]))
    page.close()
    page = browser.page(make(lab, folder, "report", "report"), width=1000,
                        height=900)
    page.screenshot(os.path.join(gallery, "report.png"),
                    clip=clip(page, ["#time", "#shares"]))
    page.close()


def smaller(folder):
    """64 colours are enough for flat drawings."""
    for name in sorted(os.listdir(folder)):
        subprocess.run(["pngquant", "--force", "--strip", "--ext", ".png", "64",
                        os.path.join(folder, name)], check=True)


def main():
    lab, docs = sys.argv[1:3]
    os.makedirs(os.path.join(docs, "gallery"), exist_ok=True)
    text = HEAD
    with tempfile.TemporaryDirectory(prefix="view-") as folder, \
            Chromium() as browser:
        for row in STILLS:
            text += still(lab, folder, docs, browser, *row)
        others(lab, folder, docs, browser)
    smaller(os.path.join(docs, "gallery"))
    with open(os.path.join(docs, "gallery.md"), "w", encoding="utf-8") as file:
        file.write(text + COMPARE)


if __name__ == "__main__":
    main()
