#!/usr/bin/env bash
# Launches must leave the same whatever the number of host threads, whoever
# watches, and at every level of the CPU: tests/tools/same_runs.c.
#   tests/same.sh [FOLDER]     where the programs are (build/bin)
# Prints what differed, then `N passed, M failed, K skipped`.
set -u
cd "$(dirname "$0")/.." || exit 2
bin=${1:-build/bin}
logs=$(mktemp -d) || exit 2
trap 'rm -rf "$logs"' EXIT
passed=0
failed=0
skipped=0
run() { # run LEVEL NAME FILE...: one program, its digests in NAME.LEVEL
    local log=$logs/$2.$1 last
    LAB_CPU=$1 "$bin/same_runs" "${@:3}" >"$log" 2>&1 </dev/null
    last=$(tail -n 1 "$log")
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
    else
        failed=$((failed + 1))
        echo "same_runs ($2, $1) ended without a result: $last"
    fi
    grep -vE '^digest |^[0-9]+ passed, ' "$log" | head -n 40
}
levels() { # levels NAME FILE...: at every level, and all alike
    local level
    for level in $cpu_levels; do
        run "$level" "$@"
        if cmp -s <(grep '^digest ' "$logs/$1.$level") \
            <(grep '^digest ' "$logs/$1.portable"); then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "$1: other results with LAB_CPU=$level than portable:"
            diff <(grep '^digest ' "$logs/$1.portable") \
                <(grep '^digest ' "$logs/$1.$level") | head -n 10
        fi
    done
}
best=$("$bin/lab" doctor 2>/dev/null |
    grep -oE 'portable|avx2|avx512' | tail -n 1)
case ${best:-avx512} in
portable) cpu_levels=portable ;;
avx2) cpu_levels='portable avx2' ;;
*) cpu_levels='portable avx2 avx512' ;;
esac
levels ptx tests/ptx/*.ptx
for COMPILER in clang nvcc; do
    if command -v "$COMPILER" >/dev/null; then break; fi
done
export COMPILER
if command -v "$COMPILER" >/dev/null; then
    levels math tests/kernels/ok_*math*.cu
    run "${cpu_levels##* }" kernels tests/kernels/ok_*.cu
else
    echo 'skipped: kernels, without a compiler'
    skipped=1
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
