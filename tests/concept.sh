#!/usr/bin/env bash
# The suite concept of the grader: a kernel that gives the right sum without
# the stage's idea is told what was counted; one that is written differently
# passes.  Prints what failed, then `N passed, M failed, K skipped`.
set -u
cd "$(dirname "$0")/.." || exit 2
grade=${1:-build/bin/grade}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0
failed=0
skipped=0
verdict() { # verdict NAME PATTERN: does the output have it?
    # The report is wrapped; a pattern may run over the end of a line.
    if tr -s ' \n' ' ' <<<"$output" | grep -qE "$2"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf '%s: no "%s" in\n%s\n' "$1" "$2" "$output"
    fi
}
as() { # as SOLUTION STAGE: that solution handed in as another stage
    mkdir -p "$folder/$2"
    cp "solutions/$1/kernel.cu" "$folder/$2/kernel.cu"
    output=$("$grade" --from "$folder" --compiler "$compiler" \
        --suites concept "$2" 2>&1)
}
for compiler in clang nvcc; do
    output=$("$grade" --from tests/concept --compiler $compiler v3 2>&1)
    if [ $? = 2 ]; then
        echo "skipped: concept with $compiler, which is not here"
        skipped=$((skipped + 9))
        continue
    fi
    verdict "another v3 with $compiler" 'v3_sequential .* passed'
    as v0_atomic v1_interleaved
    verdict "v0 as v1 with $compiler" \
        'concept: atomic additions to global memory a block: 256 measured'
    as v1_interleaved v3_sequential
    verdict "v1 as v3 with $compiler" \
        'concept: lanes at work in .*5\.379 measured.*Line [0-9]+.*divergence'
    as v2_strided v3_sequential
    verdict "v2 as v3 with $compiler" \
        'concept: bank conflicts a block: .*8-way conflict on line [0-9]+'
    as v4_first_add v5_unroll_last_warp
    verdict "v4 as v5 with $compiler" \
        'concept: block barriers a warp: 9 measured, at most 3'
    as v3_sequential v6_gridstride_shuffle
    verdict "v3 as v6 with $compiler" 'v6_gridstride_shuffle .* wrong'
    as v6_gridstride_shuffle x1_vectorized
    verdict "v6 as x1 with $compiler" \
        'concept: loads from global memory for 1000 elements: 31\.25 measured'
    as x1_vectorized x2_last_block
    verdict "x1 as x2 with $compiler" 'x2_last_block .* wrong'
    # The last block begins with its own sum: right, but whose is it?
    cp solutions/x2_last_block/kernel.cu "$folder/x2_last_block/kernel.cu"
    sed -i 's/^    sum = 0\.0f;$/    sum = threadIdx.x == 0 ? sum : 0.0f;/
            s/^        sum += __ldcg/        if (k != blockIdx.x) sum += __ldcg/' \
        "$folder/x2_last_block/kernel.cu"
    output=$("$grade" --from "$folder" --compiler $compiler --suites concept \
        x2_last_block 2>&1)
    verdict "own sum first with $compiler" 'concept: the blocks came in another'
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
