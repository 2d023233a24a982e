# Shapes and colours of the figures.  See draw.awk.
BEGIN {
    ink = "#1f2933"; grey = "#616e7c"; card = "#fdfcf8"
    work = "#99d9d0"; rest = "#e9ecef"; wait = "#f7b98b"; pale = "#fbe3d2"
    blue_fill = "#bcd3f5"
    work_line = "#0f766e"; wait_line = "#b3400a"; blue = "#1d4ed8"
}

function begin(w, h, title, words)
{
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\"" \
        " width=\"%d\" height=\"%d\" role=\"img\"" \
        " font-family=\"sans-serif\">\n", w, h, w, h
    printf "<title>%s</title>\n<desc>%s</desc>\n", title, words
    printf "<defs>"
    marker("ink", ink)
    marker("grey", grey)
    marker("wait", wait_line)
    marker("work", work_line)
    printf "</defs>\n<rect x=\"1\" y=\"1\" width=\"%d\" height=\"%d\" rx=\"8\"" \
        " fill=\"%s\" stroke=\"#cbd2d9\"/>\n", w - 2, h - 2, card
}

function marker(name, colour)
{
    printf "<marker id=\"%s\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\"" \
        " markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">" \
        "<path d=\"M0 0L8 4L0 8z\" fill=\"%s\"/></marker>", name, colour
}

function finish()
{
    print "</svg>"
}

function box(x, y, w, h, fill, stroke)
{
    printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"3\"" \
        " fill=\"%s\" stroke=\"%s\"/>\n", x, y, w, h, fill, stroke
}

function dot(x, y, r, fill)
{
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"" \
        " stroke=\"%s\"/>\n", x, y, r, fill, ink
}

function label(x, y, words, size, anchor, colour, bold)
{
    gsub(/&/, "\\&amp;", words)
    gsub(/</, "\\&lt;", words)
    printf "<text x=\"%.1f\" y=\"%.1f\" font-size=\"%s\" text-anchor=\"%s\"" \
        " fill=\"%s\"%s>%s</text>\n", x, y, size, anchor, colour,
        bold ? " font-weight=\"bold\"" : "", words
}

# A box with a word in it.
function cell(x, y, w, h, fill, words, size)
{
    box(x, y, w, h, fill, ink)
    label(x + w / 2, y + h / 2 + 4.5, words, size ? size : 13, "middle", ink)
}

function stroke(x1, y1, x2, y2, colour, width, dash)
{
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"" \
        " stroke=\"%s\" stroke-width=\"%s\"%s/>\n", x1, y1, x2, y2, colour,
        width ? width : 1.4, dash ? " stroke-dasharray=\"" dash "\"" : ""
}

function arrow(x1, y1, x2, y2, colour, name)
{
    name = colour == ink ? "ink" : colour == wait_line ? "wait" \
        : colour == work_line ? "work" : "grey"
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"" \
        " stroke=\"%s\" stroke-width=\"1.4\" marker-end=\"url(#%s)\"/>\n",
        x1, y1, x2, y2, colour, name
}

# A warp: a small square for each lane.  '1' adds, '0' marches along; a warp
# without a 1 rests.
function lanes(x, y, count, w, h, bits, i, fill)
{
    for (i = 0; i < count; i++) {
        if (bits !~ /1/)
            fill = rest
        else
            fill = substr(bits, i + 1, 1) == "1" ? work : pale
        printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"" \
            " fill=\"%s\" stroke=\"%s\" stroke-width=\"0.4\"/>\n",
            x + i * w, y, w - 0.6, h, fill, ink
    }
}

# A tree over 1 ... 8.  rounds: which words receive, "0 2 4 6|0 4|0"; strides:
# how far their partner is; version: whose thread numbers to write.
function tree(title, version, rounds, strides, r, i, k, x, y, who, n, w, value,
    stride, part, is_on, thread)
{
    begin(760, 386, title,
        "Words 1 to 8 fold in three rounds into 36; strides " strides)
    split(rounds, part, "|")
    split(strides, stride, " ")
    for (k = 0; k < 8; k++) {
        value[k] = k + 1
        label(204 + 66 * k, 26, "s[" k "]", 12, "middle", grey)
        cell(180 + 66 * k, 34, 48, 28, rest, value[k])
    }
    label(20, 53, "loaded", 13, "start", ink)
    for (r = 1; r <= 3; r++) {
        y = 34 + 94 * r
        n = split(part[r], who, " ")
        for (k = 0; k < 8; k++)
            is_on[k] = 0
        label(20, y + 18, "stride " stride[r], 13, "start", ink, 1)
        for (i = 1; i <= n; i++) {
            w = who[i]
            is_on[w] = 1
            arrow(204 + 66 * w - 6, y - 66, 204 + 66 * w - 6, y - 3, work_line)
            arrow(204 + 66 * (w + stride[r]), y - 66, 204 + 66 * w + 10, y - 3, wait_line)
            thread[w] = version == 2 ? i - 1 : w
        }
        for (k = 0; k < 8; k++)
            if (is_on[k])
                value[k] += value[k + stride[r]]
        for (k = 0; k < 8; k++) {
            cell(180 + 66 * k, y, 48, 28, is_on[k] ? work : rest, value[k])
            if (is_on[k])
                label(204 + 66 * k, y + 43, "thread " thread[k], 11, "middle", work_line)
        }
    }
    finish()
}
