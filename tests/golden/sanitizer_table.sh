#!/usr/bin/env bash
# Who reports what: tests/golden/sanitizer.csv (compute-sanitizer's four tools
# on an H200) beside what each kernel of tests/kernels must get here, as
# tables of Markdown.
#   tests/golden/sanitizer_table.sh            a line a kind of mistake
#   tests/golden/sanitizer_table.sh kernels    a line a kernel
set -u
cd "$(dirname "$0")/../.." || exit 2

# KERNEL KIND: what must be found here; "wrong": just a wrong sum; "ok".
# Of several kinds the first in the file.
expected() {
    local file kind
    for file in tests/kernels/*.cu; do
        kind=$(sed -n 's|.*// expect: *\([a-z-]*\).*|\1|p' "$file" |
            grep -v '^wrong$' | head -n 1)
        echo "$(basename "$file" .cu) ${kind:-wrong}"
    done
}

expected | awk -F'[ ,]' -v mode="${1:-kinds}" '
function spoken(n) { return n == 1 ? "1" : n + 0 ? n : "-" }
FNR == NR && NF == 2 { kind[$1] = $2; order[++kernels] = $1; next }
$2 ~ /check$/ {
    measured[$1] = 1
    if ($4 == "hang") { said[$1, $2] = "hangs" }
    else if ($3 != "-" && $3 + 0 > 0) { said[$1, $2] = $3 }
    next
}
END {
    tools = split("memcheck racecheck synccheck initcheck", tool, " ")
    kinds = split("out-of-bounds misaligned input-written barrier-divergence " \
        "bad-sync-mask no-progress trap race uninitialized suspicious wrong ok",
        name, " ")
    if (mode == "kernels") {
        print "| kernel | here | memcheck | racecheck | synccheck | initcheck |"
        print "|---|---|--:|--:|--:|--:|"
        for (k = 1; k <= kernels; k++) {
            if (!measured[order[k]] || kind[order[k]] == "ok") continue
            printf "| `%s` | %s |", order[k], kind[order[k]]
            for (t = 1; t <= tools; t++) {
                s = said[order[k], tool[t]]
                printf " %s |", s == "" ? "-" : s
            }
            print ""
        }
        exit
    }
    for (k = 1; k <= kernels; k++) {
        m = order[k]; i = kind[m]
        if (!measured[m]) continue
        count[i]++
        any = hang = 0
        for (t = 1; t <= tools; t++) {
            s = said[m, tool[t]]
            if (s == "hangs") hang = 1
            else if (s != "") { reported[i, t]++; any = 1 }
        }
        if (hang) hangs[i]++
        if (!any) silent[i]++
    }
    print "| must be found here | kernels | memcheck | racecheck | synccheck |" \
        " initcheck | hang | no tool speaks |"
    print "|---|--:|--:|--:|--:|--:|--:|--:|"
    for (k = 1; k <= kinds; k++) {
        i = name[k]
        if (!count[i]) continue
        label = i == "wrong" ? "a wrong sum, no finding" : \
            i == "ok" ? "nothing: right kernels" : "`" i "`"
        printf "| %s | %d |", label, count[i]
        for (t = 1; t <= tools; t++) printf " %s |", spoken(reported[i, t])
        printf " %s | %s |\n", spoken(hangs[i]), spoken(silent[i])
    }
}' - tests/golden/sanitizer.csv
