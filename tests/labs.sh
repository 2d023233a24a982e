#!/usr/bin/env bash
# The labs and the solutions, with each device compiler that is here:
#   - a solution passes the grader (every accepted block, every n and data);
#   - a lab as shipped compiles without a word, and fails at the n that the
#     stage table says, and not before; it gets no points.
# Prints what failed, then `N passed, M failed, K skipped`.
set -u
cd "$(dirname "$0")/.." || exit 2
bin=build/bin
passed=0
failed=0
skipped=0
verdict() { # verdict NAME OUTPUT CONDITION...
    if "${@:3}"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s:\n%s\n' "$1" "$(tail -n 15 <<<"$2")"
    fi
}
has() { grep -qE "$1" <<<"$output"; }
for compiler in clang nvcc; do
    output=$("$bin/grade" --from solutions --compiler $compiler 2>&1)
    status=$?
    if [ $status = 2 ]; then
        echo "skipped: labs and solutions with $compiler, which is not here"
        skipped=$((skipped + 11))
        continue
    fi
    for stage in solutions/*; do
        verdict "$stage with $compiler" "$output" \
            has "${stage#*/} .*passed"
    done
    verdict "solutions, exit status with $compiler" "$output" [ $status = 0 ]
    output=$("$bin/grade" --compiler $compiler 2>&1)
    status=$?
    verdict "labs, as shipped, with $compiler" "$output" \
        has ' 0 / 120 .*0 passed, 9 wrong, 0 not judged'
    verdict "labs, exit status with $compiler" "$output" [ $status = 1 ]
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
