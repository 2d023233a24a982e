# Finds the blocks of a page that come from a command, and fills them again.
#
#   awk -v mode=list -f blocks.awk PAGE...        each command: "KIND<tab>COMMAND"
#   awk -v mode=fill -v jobs=JOBS -v out=FOLDER -f blocks.awk PAGE
#                                                 the page with fresh blocks
#
# JOBS has one line a command, "NUMBER<tab>KIND<tab>COMMAND"; FOLDER/NUMBER is
# what the command printed.  If it is not there, the block stays as it is.
#
#   <!-- run: COMMAND -->        a fenced block follows: what a reader sees
#   <!-- run-nvcc: COMMAND -->   the same, and it depends on nvcc's PTX
#   <!-- show: COMMAND -->       a fenced block without the prompt: code
#   <!-- show-nvcc: COMMAND -->
#   <!-- table: COMMAND -->      Markdown up to <!-- end -->
#   <!-- table-nvcc: COMMAND -->
#   text <!-- = COMMAND -->12.3<!-- --> text      a number inside a line
BEGIN {
    FS = "\t"
    if (mode == "fill")
        while ((getline line < jobs) > 0) {
            split(line, part, "\t")
            number[part[2] "\t" part[3]] = part[1]
        }
}

function is_directive(line)
{
    return line ~ /^<!-- (run|show|table)(-nvcc)?: .* -->$/
}

function wanted(kind, command, key)
{
    key = kind "\t" command
    if (mode == "list" && !(key in seen)) {
        seen[key] = 1
        print key
    }
    return key
}

# True if the command's output is there; it is printed.
function print_output(key, kind, name, text, shown)
{
    if (!(key in number))
        return 0
    name = out "/" number[key]
    if ((getline text < name) < 0)
        return 0
    if (kind ~ /^run/) {
        shown = key
        sub(/^[^\t]*\t/, "", shown)
        sub(/ \| .*$/, "", shown)
        print "$ " shown
    }
    close(name)
    while ((getline text < name) > 0)
        print text
    close(name)
    return 1
}

# The numbers inside a line.
function fill_line(line, done, head, command, key, name, text)
{
    done = ""
    while (match(line, /<!-- = [^>]* -->[^<]*<!-- -->/)) {
        head = substr(line, 1, RSTART - 1)
        text = substr(line, RSTART, RLENGTH)
        line = substr(line, RSTART + RLENGTH)
        command = text
        sub(/^<!-- = /, "", command)
        sub(/ -->.*$/, "", command)
        key = wanted("=", command)
        if (mode == "fill" && key in number) {
            name = out "/" number[key]
            if ((getline value < name) > 0)
                text = "<!-- = " command " -->" value "<!-- -->"
            close(name)
        }
        done = done head text
    }
    return done line
}

# After a directive: the old block is skipped, or kept if nothing is there.
function begin_block(line, kind, command)
{
    kind = line
    sub(/^<!-- /, "", kind)
    sub(/: .*$/, "", kind)
    command = substr(line, length(kind) + 8)
    sub(/ -->$/, "", command)
    block_kind = kind
    block_key = wanted(kind, command)
    state = kind ~ /^table/ ? "table" : "fence"
    if (mode == "fill")
        print line
}

function end_table()
{
    if (mode == "fill") {
        if (!print_output(block_key, block_kind))
            printf "%s", old
        print "<!-- end -->"
    }
    state = ""
}

function end_fence()
{
    if (mode == "fill") {
        if (!print_output(block_key, block_kind))
            printf "%s", old
        print "```"
    }
    state = ""
}

state == "table" {
    if ($0 == "<!-- end -->")
        end_table()
    else
        old = old $0 "\n"
    next
}
state == "fence" { # the line after the directive
    old = ""
    if ($0 ~ /^```/) {
        state = "inside"
        if (mode == "fill")
            print
        next
    }
    if (mode == "fill")
        print block_kind ~ /^show/ ? "```cuda" : "```text"
    end_fence()
}
state == "inside" {
    if ($0 == "```")
        end_fence()
    else
        old = old $0 "\n"
    next
}
/^```/ { plain = !plain }
!plain && is_directive($0) {
    old = ""
    begin_block($0)
    next
}
!plain && /^<!-- = / { # Markdown would end the paragraph here
    print FILENAME ":" FNR ": a line must not begin with a number's command" \
        > "/dev/stderr"
    bad = 1
}
{
    line = plain ? $0 : fill_line($0)
    if (mode == "fill")
        print line
}
END {
    if (bad)
        exit 1
    if (state == "fence") { # the directive is the last line
        old = ""
        if (mode == "fill")
            print block_kind ~ /^show/ ? "```cuda" : "```text"
        end_fence()
    }
    if (state != "") {
        print FILENAME ": the block of `" block_key "` does not end" > "/dev/stderr"
        exit 1
    }
}
