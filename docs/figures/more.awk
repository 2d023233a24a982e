# More figures: v5 and later, and those drawn from measured times.

# ---- v5 ------------------------------------------------------------------------

function round_marks(y, name, strides, barriers, n, s, i, x)
{
    n = split(strides, s, " ")
    label(20, y + 20, name, 14, "start", ink, 1)
    cell(80, y, 56, 30, rest, "load", 12)
    for (i = 1; i <= n; i++) {
        x = 92 + 72 * i
        cell(x, y, 44, 30, s[i] > 32 ? blue_fill : work, s[i], 12)
    }
    for (i = 0; i <= n; i++) {
        x = 140 + 72 * i
        if (i < barriers) {
            stroke(x + 10, y - 8, x + 10, y + 38, wait_line, 4)
        } else {
            dot(x + 10, y + 8, 4, work)
            dot(x + 10, y + 22, 4, work)
        }
    }
}

function v5_rounds()
{
    begin(840, 240, "Barriers of v4 and of v5, block of 256",
        "v4 meets the whole block nine times; v5 three times, and warp 0 nods to itself in the last six rounds")
    round_marks(44, "v4", "128 64 32 16 8 4 2 1", 9)
    round_marks(134, "v5", "128 64 32 16 8 4 2 1", 3)
    stroke(100, 206, 100, 228, wait_line, 4)
    label(112, 222, "__syncthreads(): the whole block", 12, "start", ink)
    dot(360, 211, 4, work)
    dot(360, 223, 4, work)
    label(374, 222, "__syncwarp(), twice: between read and write, and after", 12, "start", ink)
    finish()
}

function v5_race()
{
    begin(760, 290, "Why volatile is not enough",
        "Lane 16 may write its word before lane 0 has read it")
    label(200, 30, "what the author had in mind", 14, "middle", ink, 1)
    label(570, 30, "what may happen as well", 14, "middle", ink, 1)
    stroke(385, 20, 385, 270, "#cbd2d9")
    label(110, 58, "lane 0", 12.5, "middle", grey)
    label(290, 58, "lane 16", 12.5, "middle", grey)
    cell(30, 70, 160, 30, work, "reads s[16]: old", 12)
    cell(210, 70, 160, 30, rest, "reads s[32]", 12)
    cell(30, 118, 160, 30, rest, "writes s[0]", 12)
    cell(210, 118, 160, 30, work, "writes s[16]", 12)
    label(200, 182, "both read, then both write: right", 12.5, "middle", work_line, 1)
    label(480, 58, "lane 0", 12.5, "middle", grey)
    label(660, 58, "lane 16", 12.5, "middle", grey)
    cell(580, 70, 160, 30, rest, "reads s[32]", 12)
    cell(580, 118, 160, 30, wait, "writes s[16]", 12)
    arrow(580, 140, 562, 172, wait_line)
    cell(400, 166, 160, 30, wait, "reads s[16]: new", 12)
    cell(400, 212, 160, 30, rest, "writes s[0]", 12)
    label(570, 266, "s[32] is counted twice: wrong", 12.5, "middle", wait_line, 1)
    finish()
}

# ---- v6 ------------------------------------------------------------------------

function v6_stride(i, k, fill)
{
    begin(760, 230, "The sponge on the ribbon: a grid of 4 threads",
        "Thread 1 takes the elements 1, 5, 9 and 13: it jumps by the size of the grid")
    for (i = 0; i < 15; i++) {
        k = i % 4
        fill = k == 0 ? rest : k == 1 ? work : k == 2 ? blue_fill : pale
        cell(20 + 48 * i, 90, 44, 30, fill, i)
    }
    for (i = 1; i < 13; i += 4) {
        printf "<path d=\"M%d 88 C%d 40 %d 40 %d 86\" fill=\"none\" stroke=\"%s\"" \
            " stroke-width=\"1.6\" marker-end=\"url(#work)\"/>\n", 42 + 48 * i,
            60 + 48 * i, 216 + 48 * i, 232 + 48 * i, work_line
    }
    label(380, 30, "thread 1 jumps by the number of threads in the grid", 13, "middle", ink, 1)
    for (k = 0; k < 4; k++)
        cell(150 + 120 * k, 150, 100, 28, \
            k == 0 ? rest : k == 1 ? work : k == 2 ? blue_fill : pale, "thread " k)
    label(380, 206, "four registers hold four sums, however long the ribbon is", 12, "middle", grey)
    finish()
}

function v6_shuffle(r, k, y, d, v, w)
{
    begin(760, 362, "Lanes read each other's registers (8 lanes drawn, a warp has 32)",
        "Distance 4, then 2, then 1; lane 0 holds the sum 36")
    for (k = 0; k < 8; k++) {
        v[k] = k + 1
        label(184 + 66 * k, 24, "lane " k, 12, "middle", grey)
        cell(160 + 66 * k, 32, 48, 28, blue_fill, v[k])
    }
    label(20, 52, "registers", 13, "start", ink)
    for (r = 1; r <= 3; r++) {
        d = 2 ^ (3 - r)
        y = 32 + 88 * r
        label(20, y + 19, "distance " d, 13, "start", ink, 1)
        for (k = 0; k < 8; k++) {
            w[k] = k + d < 8 ? v[k] + v[k + d] : v[k]
            if (k < d)
                arrow(184 + 66 * (k + d), y - 60, 184 + 66 * k + 8, y - 3, work_line)
        }
        for (k = 0; k < 8; k++) {
            v[k] = w[k]
            cell(160 + 66 * k, y, 48, 28, k < d ? work : rest, k < d ? v[k] : "")
        }
    }
    label(400, 348, "no memory, no barrier: the instruction itself is the meeting", 12, "middle", grey)
    finish()
}

function v6_levels(i)
{
    begin(760, 250, "Two levels: warps first, then the first warp",
        "Eight warps fold by shuffles into eight words of shared memory; after one barrier warp 0 folds those")
    for (i = 0; i < 8; i++) {
        cell(20 + 91 * i, 24, 82, 30, blue_fill, "warp " i)
        arrow(61 + 91 * i, 54, 276 + 30 * i, 104, grey)
        cell(262 + 30 * i, 106, 28, 26, work, i)
    }
    label(20, 84, "5 shuffles each", 12, "start", ink)
    label(20, 124, "warp_sums[8] in shared memory", 12, "start", ink)
    stroke(60, 148, 700, 148, wait_line, 4)
    label(700, 166, "one barrier", 12, "end", wait_line)
    arrow(380, 152, 380, 174, grey)
    cell(300, 176, 160, 28, blue_fill, "warp 0: 5 shuffles")
    arrow(460, 190, 520, 190, ink)
    cell(522, 176, 160, 28, work, "lane 0: atomicAdd")
    label(380, 232, "lanes 8 to 31 of warp 0 bring 0, and take part", 12, "middle", grey)
    finish()
}

# ---- x1, x2 ---------------------------------------------------------------------

function x1_flight(i, x)
{
    begin(760, 270, "One load on its way, or four",
        "With one load a thread waits for each answer; four independent loads share one wait")
    label(20, 34, "v6: ask, wait, add, ask again", 14, "start", ink, 1)
    for (i = 0; i < 4; i++) {
        x = 20 + 178 * i
        cell(x, 46, 26, 28, blue_fill, "L")
        box(x + 28, 46, 118, 28, pale, ink)
        label(x + 87, 65, "waiting", 11, "middle", wait_line)
        cell(x + 148, 46, 26, 28, work, "+")
    }
    label(20, 124, "x1: ask four times, wait once, add four times", 14, "start", ink, 1)
    for (i = 0; i < 4; i++) {
        cell(20 + 30 * i, 136 + 22 * i, 26, 20, blue_fill, "L", 11)
        box(48 + 30 * i, 136 + 22 * i, 118, 20, pale, ink)
        label(107 + 30 * i, 150 + 22 * i, "waiting", 10, "middle", wait_line)
        cell(168 + 30 * i, 136 + 22 * i, 26, 20, work, "+", 11)
    }
    label(320, 180, "the same four additions, done in", 12.5, "start", ink)
    label(320, 198, "under half the time here, without", 12.5, "start", ink)
    label(320, 216, "a single extra thread", 12.5, "start", ink)
    label(20, 254, "L: a load is asked for    +: an addition, which needs the answer", 11.5, "start", grey)
    finish()
}

function x2_tickets(b, y, t)
{
    begin(760, 260, "The last to sign adds everything up",
        "Each block stores its sum, then draws a ticket; block 1 draws the last one and adds all sums in order")
    split("0 2 1", t, " ")
    for (b = 0; b < 3; b++) {
        y = 30 + 60 * b
        cell(20, y, 90, 34, blue_fill, "block " b)
        arrow(110, y + 17, 148, y + 17, ink)
        cell(150, y, 120, 34, rest, "partials[" b "]")
        stroke(290, y - 4, 290, y + 38, wait_line, 3)
        arrow(296, y + 17, 338, y + 17, ink)
        cell(340, y, 100, 34, t[b + 1] == 2 ? work : rest, "ticket " t[b + 1])
    }
    label(290, 222, "fence: the sum is there", 11.5, "middle", wait_line)
    label(290, 238, "before the ticket is taken", 11.5, "middle", wait_line)
    arrow(440, 107, 478, 107, ink)
    stroke(482, 86, 482, 128, wait_line, 3)
    cell(492, 90, 140, 34, work, "last: add all")
    arrow(632, 107, 668, 107, ink)
    cell(670, 90, 70, 34, work, "*out")
    label(562, 150, "always partials[0], [1], [2]:", 11.5, "middle", grey)
    label(562, 166, "the same bits in every run", 11.5, "middle", grey)
    finish()
}

# ---- from measured times ------------------------------------------------------------

function log10(x)
{
    return log(x) / log(10)
}

function measured_bars(i, s, name, us, x, w)
{
    begin(760, 330, "Measured on one H200: 2^24 floats, block 256",
        "Microseconds of the kernel alone on a logarithmic scale, v0 to v6, and the limit that the memory sets")
    label(20, 30, "microseconds, measured (H200, 2^24 floats, block 256), logarithmic", 13, "start", ink, 1)
    for (i = 0; i <= 4; i++) {
        x = 170 + 110 * i
        stroke(x, 44, x, 290, "#d9dee3")
        label(x, 308, 10 ^ (i + 1), 11, "middle", grey)
    }
    for (i = 0; i < 7; i++) {
        us = time_us["v" i]
        w = 110 * (log10(us) - 1)
        label(20, 70 + 34 * i, full_name["v" i], 11.5, "start", ink)
        box(170, 54 + 34 * i, w, 24, i == 0 ? wait : work, ink)
        label(176 + w, 71 + 34 * i, sprintf(us < 1000 ? "%.1f" : "%.0f", us), 12, "start", ink)
    }
    x = 170 + 110 * (log10(limit_us) - 1)
    stroke(x, 44, x, 290, wait_line, 2, "5 3")
    label(x + 4, 324, sprintf("limit %.1f: 64 MiB at 4.8 TB/s", limit_us), 11, "start", wait_line)
    finish()
}

function roofline(i, x, y, gflops, top)
{
    begin(760, 380, "The roofline of an H200 and the ladder on it",
        "All stages do a quarter of an operation a byte; the roof there is 1200 GFLOP/s, and each stage climbs towards it")
    # x: log10(FLOP/B) from -1.5 to 2.5; y: log10(GFLOP/s) from -1 to 5
    stroke(80, 330, 730, 330, ink)
    stroke(80, 30, 80, 330, ink)
    for (i = -1; i <= 2; i++) {
        x = 80 + 162.5 * (i + 1.5)
        stroke(x, 330, x, 336, ink)
        label(x, 350, 10 ^ i, 11, "middle", grey)
    }
    for (i = -1; i <= 5; i++) {
        y = 330 - 50 * (i + 1)
        stroke(74, y, 80, y, ink)
        label(70, y + 4, i < 5 ? 10 ^ i : "10^5", 11, "end", grey)
    }
    label(405, 370, "operations for each byte read (FLOP/B)", 12, "middle", ink)
    label(90, 22, "GFLOP/s", 12, "start", ink)
    # memory roof 4800 GB/s; compute roof 67 TFLOP/s
    stroke(80, 330 - 50 * (1 + log10(4800 * 10 ^ -1.5)), \
        80 + 162.5 * (log10(67000 / 4800) + 1.5), 330 - 50 * (1 + log10(67000)), blue, 2.5)
    stroke(80 + 162.5 * (log10(67000 / 4800) + 1.5), 330 - 50 * (1 + log10(67000)), \
        730, 330 - 50 * (1 + log10(67000)), blue, 2.5)
    label(720, 330 - 50 * (1 + log10(67000)) - 8, "67 TFLOP/s", 12, "end", blue)
    label(250, 92, "4.8 TB/s", 12, "start", blue)
    x = 80 + 162.5 * (log10(0.25) + 1.5)
    stroke(x, 330, x, 330 - 50 * (1 + log10(1200)), grey, 1.2, "4 3")
    for (i = 0; i < 7; i++) {
        gflops = 16777216 / time_us["v" i] / 1000
        y = 330 - 50 * (1 + log10(gflops))
        dot(x, y, 5, i == 0 ? wait : work)
        if (i != 2 && i != 5 && i != 3)
            label(x + 10, y + 4, (i == 1 ? "v1, v2, v3" : i == 4 ? "v4, v5" : "v" i), 12, "start", ink)
    }
    label(x + 8, 245, "0.25 FLOP/B: one addition for 4 bytes", 12, "start", grey)
    finish()
}

function warp_and_block(i, j)
{
    begin(760, 250, "Grid, block, warp, lane",
        "A grid of blocks; a block of threads in warps of 32 lanes")
    for (i = 0; i < 4; i++)
        cell(20 + 62 * i, 40, 56, 40, i == 1 ? work : rest, i < 3 ? "block " i : "...", 11)
    label(140, 28, "grid: all threads of a launch", 13, "middle", ink, 1)
    arrow(110, 80, 330, 116, work_line)
    for (i = 0; i < 4; i++)
        cell(330, 50 + 36 * i, 100, 30, i == 1 ? work : rest, i < 3 ? "warp " i : "...", 12)
    label(380, 36, "block: one SM", 13, "middle", ink, 1)
    arrow(430, 101, 478, 101, work_line)
    for (i = 0; i < 32; i++)
        cell(480 + 33 * (i % 8), 56 + 30 * int(i / 8), 30, 26, i == 5 ? work : rest, i, 11)
    label(610, 36, "warp: 32 lanes", 13, "middle", ink, 1)
    label(610, 196, "threadIdx.x = 32 * warp + lane", 12, "middle", grey)
    label(140, 120, "blockIdx.x tells which", 12, "middle", grey)
    label(380, 222, "shared memory and barriers: within a block only", 12, "middle", grey)
    finish()
}
