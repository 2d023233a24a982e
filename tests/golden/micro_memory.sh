#!/usr/bin/env bash
# The launches of micro_memory.cu, a line each, with nanoseconds in front, as
# Nsight Compute times them: caches empty, clocks left alone.
#
#   tests/golden/micro_memory.sh PROGRAM >tests/golden/micro_memory.txt
set -u
times=$(mktemp) lines=$(mktemp)
trap 'rm -f "$times" "$lines"' EXIT
ncu --clock-control none --csv --print-units base \
    --kernel-name regex:m_ --metrics gpu__time_duration.sum \
    --log-file "$times" "${1:?usage: micro_memory.sh PROGRAM}" >"$lines" || exit 2
echo 'ns, what, how, grid, block, cycles of the first thread'
awk '
    FNR == NR && /^"/ {
        count = split($0, cell, /","/)
        gsub(/[",]/, "", cell[count])
        if (cell[1] ~ /[0-9]/) ns[++rows] = cell[count]
    }
    FNR != NR && / grid / { print ns[++row] ", " $0 }' "$times" "$lines"
