#!/usr/bin/env bash
# make sanitize LAB=, make profile LAB=: NVIDIA's tools on one launch of a
# kernel, and the simulator's answer below.
#   tests/peers/tools.sh sanitize|profile LAB [FROM]   FROM: labs, solutions
set -u
cd "$(dirname "$0")/../.." || exit 2
what=$1
from=${3:-labs}
file=$2
if [[ $file != *.cu ]]; then
    files=("$from/$2"*/kernel.cu)
    file=${files[0]}
fi
if [ ! -f "$file" ]; then
    echo "no kernel for LAB=$2" >&2
    exit 2
fi
for tool in nvcc "$([ "$what" = profile ] && echo ncu || echo compute-sanitizer)"; do
    if ! command -v "$tool" >/dev/null; then
        echo "$tool is not here; the simulator's answer alone:"
        build/bin/lab run "$file" --device sim
        exit
    fi
done
mkdir -p build/peers
ptx=build/peers/tools.ptx
nvcc -ptx -lineinfo -arch=sm_80 -o "$ptx" "$file" || exit 1
# Items a thread, as the table of stages has them.
case $file in
*/v[45]_*) block=256 items=2 ;;
*/x[12]_*) block=512 items=16 ;;
*) block=256 items=1 ;;
esac
grid() { echo $((($1 + block * items - 1) / (block * items))); }

if [ "$what" = sanitize ]; then
    n=10007
    for tool in memcheck racecheck synccheck initcheck; do
        echo "== $tool"
        timeout 60 compute-sanitizer --tool $tool build/bin/gpu_launch "$ptx" \
            n=$n block=$block "grid=$(grid $n)" 2>&1 | sed 's/^=* //' | head -n 20
    done
    echo "== the simulator"
    build/bin/lab run "$file" --device sim --n $n --block $block \
        --grid "$(grid $n)" --checks all
    exit
fi
n=$((1 << 20))
ours=build/peers/counters.txt
theirs=build/peers/ncu.csv
build/bin/lab counters "$file" --device sim --n $n --block $block \
    --grid "$(grid $n)" >"$ours" 2>/dev/null
# Name, value and the metric below them, of each counter that ncu has, too.
pairs=$(awk '
    /^[^ ].* [0-9][0-9,.]*( .*)?$/ {
        name = substr($0, 1, 40); sub(/ *[0-9,.]* *$/, "", name)
        match(substr($0, 30), /[0-9][0-9,.]*/)
        value = substr($0, 29 + RSTART, RLENGTH); gsub(/,/, "", value)
        mark = / ~ *$/ ? "~" : ""
    }
    /^ +[a-z0-9_]+\.(sum|ratio)$/ && !/lab__/ {
        print $1 "|" name "|" value "|" mark
    }' "$ours")
metrics=$(cut -d'|' -f1 <<<"$pairs" | paste -sd,)
if ! ncu --clock-control none --csv --page raw --print-units base \
    --metrics "$metrics,gpu__time_duration.sum" --log-file "$theirs" \
    build/bin/gpu_launch "$ptx" n=$n block=$block "grid=$(grid $n)" >/dev/null
then
    cat "$theirs"
    exit 1
fi
echo "$file, n = $n, block $block, grid $(grid $n)"
echo
awk -v pairs="$pairs" '
    function cells(line) {
        sub(/^"/, "", line); sub(/"\r?$/, "", line)
        return split(line, cell, /","/)
    }
    /^"ID"/ { count = cells($0); for (k = 1; k <= count; k++) head[k] = cell[k] }
    /^"[0-9]/ {
        cells($0)
        for (k = 1; k <= count; k++) { v = cell[k]; gsub(/,/, "", v); gpu[head[k]] = v }
    }
    END {
        printf "%-38s %14s %14s %8s\n", "counter", "Nsight Compute", "simulator", ""
        rows = split(pairs, row, "\n")
        for (r = 1; r <= rows; r++) {
            split(row[r], p, "|")
            g = gpu[p[1]]
            d = p[3] - g
            off = d * d <= 1e-6 * g * g ? "same" : \
                g + 0 ? sprintf("%+.1f %%", 100 * d / g) : "only here"
            printf "%-38s %14s %14s %8s %s\n    %s\n", p[2], g == "" ? "-" : g, p[3], off, p[4], p[1]
        }
        printf "\nthe GPU took %.2f us (gpu__time_duration.sum)\n", gpu["gpu__time_duration.sum"] / 1000
    }' "$theirs"
echo '~ is an estimate of what the hardware'"'"'s compiler makes.'
