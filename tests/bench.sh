#!/usr/bin/env bash
# The simulator's speed on this machine: each solution at one n, on one host
# thread and on all, the better of two runs.
#   tests/bench.sh [N]     N as for `lab run` (2^22)
set -u
cd "$(dirname "$0")/.." || exit 2
n=${1:-2^22}
number() { sed -n "s/^ *\"$1\": *\([0-9.e+-]*\),*$/\1/p" <<<"$2" | head -n 1; }

speed() { # speed STAGE THREADS: million warp instructions a second
    local output best=0
    for _ in 1 2; do
        output=$(build/bin/lab run "$1" --from solutions --n "$n" \
            --threads "$2" --json) || return
        best=$(awk -v w="$(number warp_instructions "$output")" \
            -v s="$(number wall_s "$output")" -v best="$best" \
            'BEGIN { x = w / s / 1e6; printf "%.1f", (x > best ? x : best) }')
    done
    echo "$best"
}

cores=$(nproc)
echo "million warp instructions a second, n = $n"
printf '%-24s %10s %10s\n' stage '1 thread' "$cores threads"
for folder in solutions/*; do
    stage=${folder#*/}
    printf '%-24s %10s %10s\n' "$stage" "$(speed "$stage" 1)" \
        "$(speed "$stage" "$cores")"
done
