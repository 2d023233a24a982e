#!/usr/bin/env bash
# Hand-written PTX: every file of tests/ptx in a process of its own, the
# tables of instructions at every level of the CPU.
#   tests/ptx.sh [FOLDER]     where the programs are (build/bin)
# Prints what failed, then `N passed, M failed, K skipped`.
set -u
bin=${1:-build/bin}
passed=0
failed=0
count() { # count NAME COMMAND...
    local output last
    output=$("${@:2}" 2>&1 </dev/null)
    last=$(tail -n 1 <<<"$output")
    if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
        if [ "${BASH_REMATCH[2]}" != 0 ]; then
            printf '%s:\n%s\n' "$1" "$(sed '$d' <<<"$output")"
        fi
    else
        failed=$((failed + 1))
        printf '%s: it ended without a result:\n%s\n' "$1" \
            "$(tail -n 5 <<<"$output")"
    fi
}
for file in tests/ptx/*.ptx; do
    count "$file" "$bin/ptx_case" "$file"
done
best=$("$bin/lab" doctor 2>/dev/null |
    grep -oE 'portable|avx2|avx512' | tail -n 1)
case ${best:-avx512} in
portable) levels=portable ;;
avx2) levels='portable avx2' ;;
*) levels='portable avx2 avx512' ;;
esac
for level in $levels; do
    for file in tests/ptx/*.alu; do
        count "$file ($level)" env "LAB_CPU=$level" "$bin/alu_case" "$file"
    done
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
