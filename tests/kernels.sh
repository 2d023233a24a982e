#!/usr/bin/env bash
# Runs tests/kernels/*.cu as tests/kernels/README.md says, with both device
# compilers; those that are not there are skipped, out loud.
#
#   tests/kernels.sh [PROGRAM [FILE...]]
#
# PROGRAM is a program in the folder of kernel_case (build/bin/lab).  Prints
# what is not as expected, then `N passed, M failed, K skipped`.
set -u
cd "$(dirname "$0")/.." || exit 2
program=${1:-build/bin/lab}
if [ $# -gt 0 ]; then shift; fi
files=("$@")
if [ ${#files[@]} = 0 ]; then files=(tests/kernels/*.cu); fi
compilers=${COMPILERS:-clang nvcc}
judge=$(dirname "$program")/kernel_case
export judge

log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
skipped=0
for compiler in $compilers; do
    if ! COMPILER=$compiler "$judge" --find >/dev/null; then
        echo "skipped: ${#files[@]} kernels with $compiler, which is not here"
        skipped=$((skipped + ${#files[@]}))
        compilers=${compilers/$compiler/}
    fi
done

# A few files at a time: a program that crashes takes no others with it, and
# is a failure itself.
some() { # some COMPILER FILE...
    timeout 300 "$judge" --compiler "$@"
    local status=$?
    if [ $status -gt 1 ]; then
        echo "exit status $status: $judge --compiler $*"
        echo "0 passed, 1 failed, 0 skipped"
    fi
}
export -f some
for compiler in $compilers; do
    printf '%s\0' "${files[@]}" |
        xargs -0 -n 4 -P "$(nproc)" bash -c 'some "$@"' - "$compiler"
done >"$log"
grep -vE '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log"
read -r passed failed < <(
    grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log" |
        awk '{ p += $1; f += $3 } END { print p + 0, f + 0 }')
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
