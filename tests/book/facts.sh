# shellcheck shell=bash
# What the pages of the book may call between `<!-- run:` and `-->`, beside the
# kit's own programs: facts from measured tables, code from files, and filters.
#
# Measured: tests/golden/times.csv (a kernel alone, as Nsight Compute times it),
# ladder.txt (between two events, launch included) and micro.txt (latencies),
# all from one NVIDIA H200.  Modelled: the tables of docs/time-model.md.

# 2^24 -> 16777216
number() { case $1 in 2^*) echo $((1 << ${1#2^})) ;; *) echo "$1" ;; esac; }

# v3 -> v3_sequential
stage_name() { basename "$(echo labs/"$1"_*)"; }

# measured STAGE N BLOCK [ms]: microseconds, or milliseconds
measured() {
    awk -F, -v k="$(stage_name "$1")" -v n="$(number "$2")" -v b="$3" -v u="${4:-us}" '
        $1 == k && $2 == n && $3 == b { print_time($5); found = 1 }
        function print_time(ns) {
            if (u == "ms") printf "%.4g\n", ns / 1e6
            else printf ns < 1e6 ? "%.1f\n" : "%.0f\n", ns / 1000
        }
        END { exit !found * 2 }' tests/golden/times.csv
}

# modelled STAGE N BLOCK: microseconds
modelled() {
    awk -F'|' -v k="$(stage_name "$1")" -v n="$2" -v b="$3" '
        /^`/ { stage = $0; gsub(/`/, "", stage) }
        stage == k && /^\| n / {
            for (i = 3; i < NF; i++) if ($i ~ " block " b " ") column = i
        }
        stage == k && $2 == " " n " " {
            split($column, part, "/")
            printf part[1] < 1000 ? "%.1f\n" : "%.0f\n", part[1]; found = 1; exit
        }
        END { exit !found * 2 }' docs/time-model.md
}

# faster A B N BLOCK: how many times faster B is, measured
faster() {
    awk -v a="$(measured "$1" "$3" "$4")" -v b="$(measured "$2" "$3" "$4")" '
        BEGIN { printf a / b < 10 ? "%.2f\n" : "%.0f\n", a / b }'
}

# gbps STAGE N BLOCK: of the measured time
gbps() {
    awk -v n="$(number "$2")" -v us="$(measured "$1" "$2" "$3")" '
        BEGIN { printf "%.0f\n", 4 * n / us / 1000 }'
}

# events NAME N: microseconds by events, launch included
events() {
    awk -v k="$2 $1" 'index($0, k " ") == 1 { printf "%.1f\n", 1000 * $3; f = 1 }
        END { exit !f * 2 }' tests/golden/ladder.txt
}

# micro TEXT [PLACES]: the number behind TEXT in micro.txt
micro() {
    awk -v k="$1" -v p="${2:-0}" 'index($0, k) == 1 {
            rest = substr($0, length(k) + 1)
            sub(/^[^0-9]*/, "", rest); printf "%." p "f\n", rest + 0; f = 1; exit
        } END { exit !f * 2 }' tests/golden/micro.txt
}

# costs BEFORE STAGE: a table of both at two sizes and two blocks
costs() {
    local n b
    echo "| n | block | $1, measured | $2, measured | gain | $2, modelled |"
    echo '|---|--:|--:|--:|--:|--:|'
    for n in 2^16 2^20 2^24; do
        for b in 256 512; do
            echo "| $n | $b | $(measured "$1" $n $b) | $(measured "$2" $n $b)" \
                "| $(faster "$1" "$2" $n $b)x | $(modelled "$2" $n $b) |"
        done
    done
}

# profiled BEFORE STAGE: what Nsight Compute counted, 2^20 floats, block 256
profiled() {
    awk -F, -v a="$(stage_name "$1")" -v b="$(stage_name "$2")" -v sa="$1" -v sb="$2" '
        function group(x, s, head) {
            s = ""
            while (length(x) > 3) {
                s = "," substr(x, length(x) - 2) s
                x = substr(x, 1, length(x) - 3)
            }
            return x s
        }
        function row(words, name) {
            printf "| %s | %s | %s |\n", words, show(a, name), show(b, name)
        }
        function show(k, name, v) {
            v = value[k, name]
            return v ~ /\./ ? v : group(v)
        }
        FNR == 1 { for (i = 1; i <= NF; i++) column[i] = $i }
        $2 == 1048576 && $3 == 256 {
            for (i = 1; i <= NF; i++) value[$1, column[i]] = $i
        }
        END {
            printf "| measured by Nsight Compute, 2^20 floats, block 256 | %s | %s |\n", sa, sb
            print "|---|--:|--:|"
            row("warp instructions", "smsp__inst_executed.sum")
            row("lanes at work for each of them", "smsp__thread_inst_executed_pred_on_per_inst_executed.ratio")
            row("shared memory passes, loads", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum")
            row("shared memory passes, stores", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum")
            row("bank conflicts, loads", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum")
            row("bank conflicts, stores", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum")
            row("global sectors loaded", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum")
            row("atomics, once a warp", "smsp__inst_executed_op_global_red.sum")
        }' tests/golden/counters.csv
}

# code FILE [todo K | FROM TO]: a part of a file, moved to the left edge.
# `todo K` is what stands in the K-th region that a student writes; FROM and TO
# are regular expressions of the first and the last line.  The marks around
# the regions are left out.
code() {
    [ -e "$1" ] || return 2
    case ${2:-all} in
    all) cat "$1" ;;
    todo)
        awk -v k="${3:-1}" '
            /\/\/ END TO[D]O/ { inside = 0 }
            inside == k { print; found = 1 }
            /\/\/ TO[D]O/ { inside = ++count }
            END { exit !found * 2 }' "$1"
        ;;
    *)
        awk -v from="$2" -v to="$3" '
            !inside && !found && $0 ~ from { inside = 1 }
            inside { print; found = 1 }
            inside && $0 ~ to { inside = 0 }
            END { exit !found * 2 }' "$1"
        ;;
    esac | grep -vE '^ *// (END )?TO[D]O' |
        sed -E 's, *// (expect|may): .*,,' | awk '
        { line[NR] = $0 }
        /[^ ]/ {
            match($0, /^ */)
            if (!some || RLENGTH < least) least = RLENGTH
            some = 1
        }
        END { for (i = 1; i <= NR; i++) print substr(line[i], least + 1) }'
}

# ---- filters; what they leave out shows as ... -------------------------------

# from the line that matches on
from() { awk -v re="$1" '$0 ~ re { on = 1 } on; !on && !told++ { print "..." }'; }

# the first N lines
top() { awk -v n="$1" 'NR <= n; NR == n + 1 { print "..." }'; }

# only lines that match
lines() { awk -v re="$1" '$0 ~ re { print; next } { cut = 1 } END { if (cut) print "..." }'; }

# a table of `lab counters` without the lines of source below each row
rows() { awk '/^     / { next } { print } END { print "..." }'; }

# the verdict of `lab run` and the first N findings (all)
verdict() {
    awk -v most="${1:-1000}" '
        /^(passed|failed|wrong)/ { on = 1 }
        /^  what these mean/ || /^  a hint:/ { next }
        !on { if (!told++) print "..."; next }
        /^  [^ ].*\.cu:[0-9]+: / || /^  (warning|[a-z-]+):/ { count++ }
        count <= most { print; next }
        !cut++ { print "  ..." }'
}

# What differs from machine to machine is not shown.
normal() {
    sed -E \
        -e 's/(simulator on this CPU) \([^)]*\)/\1/' \
        -e 's/^(  compiler   [a-z]+ [0-9]+)[^ ]*.*$/\1/' \
        -e 's/^(  host       )[0-9.]+ s on [0-9]+ threads?, (.*) \([^)]*\)$/\1... s on ... threads, \2/' \
        -e 's/^(  passed, .* launches.*), in [0-9.]+ s$/\1/' \
        -e 's/^([^ ]+: passed, .*), in [0-9.]+ s$/\1/' \
        -e 's/[0-9]+\.[0-9]{2} s( +[0-9.e-]+ (ok|NO))/.... s\1/' \
        -e 's/^(together, on this machine +)[0-9.]+ s/\1.... s/'
}

# hint LEVEL: of `lab hint`, only that level's paragraph
hint() { awk -v k="$1" -v RS= 'NR == k + 1'; }

# block_sizes STAGE N: measured and modelled, block by block
block_sizes() {
    local b
    echo '| block |' 64 '|' 128 '|' 256 '|' 512 '|' 1024 '|'
    echo '|---|--:|--:|--:|--:|--:|'
    for word in measured modelled; do
        printf '| microseconds, %s |' "$word"
        for b in 64 128 256 512 1024; do
            printf ' %s |' "$($word "$1" "$2" "$b")"
        done
        echo
    done
}

# ladder_table N BLOCK: measured times of v0 to v6, and what each step gained;
# the last row is x1's form, which was timed by events only
ladder_table() {
    local v before=v0
    echo '| stage | microseconds, kernel alone | by events | GB/s | faster than the one before |'
    echo '|---|--:|--:|--:|--:|'
    for v in v0 v1 v2 v3 v4 v5 v6; do
        echo "| \`$(stage_name $v)\` | $(measured $v "$1" "$2") |" \
            "$(events "$(stage_name $v)" "$1") |" \
            "$(gbps $v "$1" "$2") | $(faster $before $v "$1" "$2")x |"
        before=$v
    done
    awk -v us="$(events v9_tiles8x256 "$1")" -v was="$(events v6_gridstride_shuffle "$1")" \
        -v gbps="$(events_gbps v9_tiles8x256 "$1")" 'BEGIN {
            printf "| `float4` tiles | | %.1f | %s | %.2fx |\n", us, gbps, was / us
        }'
}

# copy_gbps: a copy on the GPU, read and written bytes together
copy_gbps() { sed -nE 's/^copy .* ([0-9]+)\.[0-9]+ GB.*/\1/p' tests/golden/ladder.txt; }

# alone N COLUMN: microseconds by events, from docs/performance.md
alone() {
    awk -F'|' -v n=" $1 " -v k=" $2 " '
        /^## / { on = /Alone/ }
        on && $2 == " n " { for (i = 3; i < NF; i++) if ($i == k) column = i }
        on && $2 == n { gsub(/ /, "", $column); print $column; f = 1; exit }
        END { exit !f * 2 }' docs/performance.md
}
alone_gain() {
    awk -v a="$(alone "$1" "$2")" -v b="$(alone "$1" "$3")" \
        'BEGIN { printf "%.2f\n", a / b }'
}
alone_gbps() {
    awk -v n="$(number "$1")" -v us="$(alone "$1" "$2")" \
        'BEGIN { printf "%.0f\n", 4 * n / us / 1000 }'
}

# peak N NAME: microseconds, from peaks.txt (interleaved with CUB)
peak() {
    awk -F' [|] ' -v n="$1" -v k="$2" '
        $1 == n {
            for (i = 2; i <= NF; i++) {
                split($i, part, " ")
                if (part[1] == k) { printf "%.1f\n", part[2]; f = 1 }
            }
        }
        END { exit !f * 2 }' tests/golden/peaks.txt
}

# events_gbps NAME N, and events_share NAME N: percent of 4800 GB/s
events_gbps() {
    awk -v n="$(number "$2")" -v us="$(events "$1" "$2")" \
        'BEGIN { printf "%.0f\n", 4 * n / us / 1000 }'
}
events_share() {
    awk -v x="$(events_gbps "$1" "$2")" 'BEGIN { printf "%.1f\n", x / 48 }'
}

# sanitizers KERNEL...: findings of compute-sanitizer's tools on an H200, from
# tests/golden/sanitizer.csv, beside our first finding
sanitizers() {
    local kernel tool
    echo '| kernel of `tests/kernels` | memcheck | racecheck | synccheck | initcheck | here |'
    echo '|---|--:|--:|--:|--:|---|'
    for kernel; do
        printf '| `%s` |' "$kernel"
        for tool in memcheck racecheck synccheck initcheck; do
            awk -F, -v k="$kernel" -v t="$tool" '
                $1 == k && $2 == t {
                    printf " %s |", $3 == "-" ? $4 : $4 ~ /^Target/ ? "stopped" \
                        : $3 ? $3 : "-"
                }' tests/golden/sanitizer.csv
        done
        lab run "tests/kernels/$kernel.cu" --n 1000 --offset 1 \
            --budget 1000000 |
            sed -nE 's/^  [^ ]*\.cu:([0-9]+): (warning, )?([a-z-]+).*/ \3, line \1 |/p' |
            head -n 1
    done
}

# play STAGE [BEFORE]: how to play a stage, and a still if docs/gallery has one
play() {
    local still
    echo "**Play it.** \`make trace LAB=$1\` writes a page that plays one block of your kernel step by step:"
    echo 'lanes, banks, barriers, the words as they fold.' "The finished kernel: \`lab trace $1 --from solutions\`."
    if [ -n "${2-}" ]; then
        echo "\`make compare A=$2 B=$1\` plays two stages side by side."
    fi
    if [ -e docs/view.md ]; then echo 'How to read the page: [seeing it](view.md).'; fi
    for still in docs/gallery/*"$1"*; do
        if [ -e "$still" ]; then
            echo
            echo "![One moment of the trace of $(stage_name "$1"): lanes by warp, shared memory by bank, the line of the source](${still#docs/})"
            return
        fi
    done
}

# model_error points|mean|worst: how good the time model is, seven solutions
model_error() {
    sed -nE 's/.*the error\. ([0-9]+) points: \*\*mean absolute error ([0-9.]+) %, worst ([0-9.]+) %.*/points \1\nmean \2\nworst \3/p' \
        docs/time-model.md | sed -n "s/^$1 //p"
}
