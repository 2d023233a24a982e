# Draws one figure of the book as SVG.  draw.sh calls it.
#
#   awk -v figure=NAME -f shapes.awk -f draw.awk [tests/golden/times.csv]
#
# Every figure lies on a light card of its own, so that it reads on a dark page
# as well.  Work is teal, waiting and conflicts orange, what rests grey.

# ---- chapter 0 -----------------------------------------------------------------

function chain_and_tree(i, x, y, v, sum)
{
    begin(760, 330, "A chain of additions and a tree of additions",
        "Eight numbers: seven additions one after the other, or seven in three rounds")
    label(185, 30, "one worker: 7 steps", 15, "middle", ink, 1)
    label(575, 30, "a tree: 3 rounds", 15, "middle", ink, 1)
    sum = 1
    for (i = 1; i <= 8; i++)
        cell(20 + 42 * (i - 1), 50, 36, 26, rest, i)
    for (i = 2; i <= 8; i++) {
        sum += i
        y = 62 + 32 * (i - 1)
        x = 20 + 42 * (i - 1)
        arrow(x + 18, 76, x + 18, y - 2, grey)
        if (i > 2)
            arrow(x - 42 + 36, y - 32 + 13, x + 2, y - 4, grey)
        else
            arrow(38, 76, x + 4, y - 2, grey)
        cell(x, y, 36, 26, work, sum)
    }
    for (i = 0; i < 8; i++)
        cell(410 + 42 * i, 50, 36, 26, rest, i + 1)
    split("3 7 11 15", v, " ")
    for (i = 0; i < 4; i++) {
        x = 431 + 84 * i
        arrow(410 + 84 * i + 18, 76, x + 12, 118, grey)
        arrow(410 + 84 * i + 60, 76, x + 24, 118, grey)
        cell(x, 120, 36, 26, work, v[i + 1])
    }
    split("10 26", v, " ")
    for (i = 0; i < 2; i++) {
        x = 473 + 168 * i
        arrow(431 + 168 * i + 18, 146, x + 12, 188, grey)
        arrow(431 + 168 * i + 102, 146, x + 24, 188, grey)
        cell(x, 190, 36, 26, work, v[i + 1])
    }
    arrow(491, 216, 567, 258, grey)
    arrow(659, 216, 583, 258, grey)
    cell(557, 260, 36, 26, work, 36)
    finish()
}

function kit()
{
    begin(760, 250, "From your kernel to a verdict",
        "kernel.cu is compiled to PTX; the PTX runs on the simulator or on a GPU; both give a value, the simulator also gives findings, counters and a time")
    cell(20, 100, 130, 46, rest, "kernel.cu")
    label(85, 166, "your file", 12, "middle", grey)
    arrow(150, 123, 218, 123, ink)
    label(185, 92, "nvcc or clang", 11, "middle", grey)
    cell(220, 100, 100, 46, rest, "PTX")
    label(270, 166, "instructions as text", 12, "middle", grey)
    arrow(320, 115, 398, 72, ink)
    arrow(320, 131, 398, 182, ink)
    cell(400, 45, 140, 50, work, "simulator")
    label(470, 112, "on your CPU", 12, "middle", grey)
    cell(400, 160, 140, 50, blue_fill, "a real GPU")
    label(470, 226, "if there is one", 12, "middle", grey)
    arrow(540, 70, 598, 70, ink)
    arrow(540, 185, 598, 150, ink)
    box(600, 40, 140, 130, card, ink)
    label(670, 62, "the value, checked", 12, "middle", ink)
    label(670, 84, "findings at a line", 12, "middle", ink)
    label(670, 106, "counters", 12, "middle", ink)
    label(670, 128, "time on an H200", 12, "middle", ink)
    label(670, 156, "passed / failed", 12, "middle", ink, 1)
    finish()
}

function machine(i, j)
{
    begin(760, 360, "The parts of a GPU",
        "Many SMs, each with warps of 32 lanes, registers and shared memory; below them one L2 cache and the DRAM")
    for (i = 0; i < 3; i++) {
        box(20 + 250 * i, 20, 220, 220, card, ink)
        label(130 + 250 * i, 40, "SM " (i < 2 ? i : "131"), 14, "middle", ink, 1)
        for (j = 0; j < 4; j++) {
            lanes(35 + 250 * i, 52 + 22 * j, 32, 5.7, 14, "11111111111111111111111111111111")
        }
        label(130 + 250 * i, 156, "warps: 32 lanes each, own registers", 10.5, "middle", grey)
        box(35 + 250 * i, 166, 190, 26, work, ink)
        label(130 + 250 * i, 183, "shared memory, 32 banks", 11, "middle", ink)
        box(35 + 250 * i, 200, 190, 26, rest, ink)
        label(130 + 250 * i, 217, "L1 cache", 11, "middle", ink)
        arrow(130 + 250 * i, 240, 130 + 250 * i, 262, grey)
    }
    label(508, 130, "...", 20, "middle", grey, 1)
    box(20, 264, 720, 30, blue_fill, ink)
    label(380, 284, "L2 cache, 60 MiB: all SMs see the same words; atomics are done here", 12, "middle", ink)
    arrow(380, 294, 380, 312, grey)
    box(20, 314, 720, 30, rest, ink)
    label(380, 334, "DRAM = global memory: 4.8 TB/s, about 667 cycles away", 12, "middle", ink)
    finish()
}

# ---- v0 ------------------------------------------------------------------------

function v0_booth(i, y)
{
    begin(760, 270, "A toll booth for thousands of lanes",
        "Many threads arrive at once, one addition at a time gets through to the word out")
    for (i = 0; i < 8; i++) {
        y = 24 + 28 * i
        cell(20, y, 96, 22, rest, i < 7 ? "thread " i : "thread n-1")
        cell(126, y, 54, 22, rest, i < 7 ? "in[" i "]" : "in[n-1]")
        arrow(180, y + 11, 262, 122 + 3 * i, i == 0 ? work_line : wait_line)
    }
    for (i = 0; i < 7; i++)
        cell(268 + 46 * i, 122, 40, 24, wait, "+")
    label(430, 110, "waiting: one queue, 1.8 ns for each addition", 12, "middle", wait_line)
    box(600, 96, 46, 76, work, ink)
    label(623, 139, "+", 22, "middle", ink, 1)
    label(623, 190, "the booth", 12, "middle", grey)
    arrow(646, 134, 674, 134, ink)
    cell(676, 116, 64, 36, work, "*out")
    finish()
}

# ---- v1 ------------------------------------------------------------------------

function v1_workshops(b, i, x, v)
{
    begin(760, 280, "Workshops with a whiteboard each",
        "Each block folds its numbers on its own whiteboard, then one thread of each block adds to out")
    split("10 26 42", v, " ")
    for (b = 0; b < 3; b++) {
        x = 20 + 245 * b
        box(x, 20, 230, 130, card, ink)
        label(x + 115, 40, "block " b, 14, "middle", ink, 1)
        for (i = 0; i < 4; i++)
            cell(x + 25 + 46 * i, 52, 40, 26, rest, 4 * b + i + 1)
        label(x + 115, 98, "whiteboard = shared memory", 11, "middle", grey)
        cell(x + 92, 108, 46, 28, work, v[b + 1])
        arrow(x + 115, 150, 340 + 40 * b, 208, ink)
    }
    box(300, 210, 160, 44, work, ink)
    label(380, 237, "*out: 3 additions", 13, "middle", ink, 1)
    label(600, 237, "in place of 12: the queue is shorter", 12, "middle", grey)
    finish()
}

function v1_tree()
{
    tree("The interleaved tree of v1", 1, "0 2 4 6|0 4|0", "1 2 4")
}

# ---- v2 ------------------------------------------------------------------------

function pattern(version, round, warp, lane, tid, s)
{
    s = ""
    for (lane = 0; lane < 32; lane++) {
        tid = 32 * warp + lane
        if (version == 1)
            s = s (tid % (2 ^ round) == 0 ? "1" : "0")
        else
            s = s (tid * 2 ^ round < 128 ? "1" : "0")
    }
    return s
}

function v2_phalanx(r, w, x, y)
{
    begin(760, 372, "Which lanes work: v1 and v2, a block of 128",
        "In v1 all four warps march in every round with ever fewer working lanes; in v2 whole warps rest")
    label(230, 28, "v1: every warp marches", 14, "middle", ink, 1)
    label(590, 28, "v2: whole warps rest", 14, "middle", ink, 1)
    for (r = 1; r <= 3; r++) {
        y = 44 + 108 * (r - 1)
        label(14, y + 48, "stride " 2 ^ (r - 1), 12, "start", ink)
        for (w = 0; w < 4; w++) {
            lanes(90, y + 23 * w, 32, 9, 18, pattern(1, r, w))
            lanes(450, y + 23 * w, 32, 9, 18, pattern(2, r, w))
        }
    }
    label(380, 364, "teal: lanes that add; pale orange: lanes that march along for nothing; grey: warps that rest", 11.5, "middle", grey)
    finish()
}

function v2_tree()
{
    tree("The same tree, threads packed: v2", 2, "0 2 4 6|0 4|0", "1 2 4")
}

# ---- v3 ------------------------------------------------------------------------

function v3_banks(panel, b, k, x, y, count)
{
    begin(760, 380, "32 windows: a round of v2 and a round of v3",
        "In v2 with stride 4 the 32 lanes want banks 0, 8, 16 and 24, eight each; in v3 each lane has a bank of its own")
    for (panel = 0; panel < 2; panel++) {
        y = panel ? 330 : 210
        label(20, panel ? 262 : 30, panel ? "v3: lane l wants word l; one pass" \
                : "v2, stride 4: lane l wants word 8 l; 8 passes", 14, "start", ink, 1)
        for (b = 0; b < 32; b++) {
            x = 24 + 22.4 * b
            box(x, y, 19, 20, rest, ink)
            label(x + 9.5, y + 14, b, 9, "middle", ink)
            count = panel ? 1 : (b % 8 == 0 ? 8 : 0)
            for (k = 0; k < count; k++)
                dot(x + 9.5, y - 12 - 19 * k, 7.5, k == 0 ? work : wait)
        }
    }
    finish()
}

function v3_tree()
{
    tree("Sequential addressing: v3", 3, "0 1 2 3|0 1|0", "4 2 1")
}

# ---- v4 ------------------------------------------------------------------------

function v4_load(i, x)
{
    begin(760, 250, "Two elements a thread on the way in",
        "Thread tid of a block adds the element at its place and the one a block further on")
    label(20, 34, "in[]", 14, "start", ink, 1)
    for (i = 0; i < 16; i++)
        cell(70 + 41 * i, 20, 37, 26, i < 8 ? work : blue_fill, i + 1)
    label(234, 66, "first load: neighbours side by side", 11.5, "middle", grey)
    label(562, 66, "second load: blockDim.x further on", 11.5, "middle", grey)
    label(20, 184, "s[]", 14, "start", ink, 1)
    for (i = 0; i < 8; i++) {
        x = 70 + 41 * i
        if (i == 0 || i == 7) {
            arrow(x + 18, 74, x + 14, 164, grey)
            arrow(x + 18 + 328, 74, x + 24, 164, grey)
        }
        cell(x, 168, 37, 26, work, 2 * i + 10)
    }
    label(234, 218, "8 threads, 16 elements, and the tree is a round shorter", 12, "middle", ink)
    finish()
}
