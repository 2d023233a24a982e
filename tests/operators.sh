#!/usr/bin/env bash
# docs/kernels/operators.cu: each operator gives the exact result over several
# data sets, sizes and blocks, with no finding; and the kernel of another
# operator, or a wrong identity, is told.
#   tests/operators.sh [PROGRAM]     build/bin/lab
# Prints what failed, then `N passed, M failed, K skipped`.
set -u
cd "$(dirname "$0")/.." || exit 2
lab=${1:-build/bin/lab}
passed=0
failed=0
skipped=0
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
run() { # run STATUS FILE KERNEL OPERATOR OPTIONS...
    local output status
    output=$("$lab" run "$2" --kernel "$3" --operator "$4" "${@:5}" 2>&1)
    status=$?
    if [ $status = "$1" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$3 as $4, ${*:5}: exit status $status, expected $1"
        grep -E '^(  value|  expected|[a-z])' <<<"$output" | head -n 8
    fi
}
all=docs/kernels/operators.cu
device=${DEVICE:-sim}
compilers='clang nvcc'
if [ "$device" = cuda ]; then compilers=nvcc; fi

# What begins with 0 cannot see that all elements are negative.
sed 's/return -INFINITY/return 0.0f/' $all >"$folder/zero.cu"
# Of equal elements the later place: at the place, not at the value.
sed 's/| ~(unsigned int)place/| (unsigned int)place/
     s/(float)(~(unsigned int)a/(float)((unsigned int)a/' $all >"$folder/late.cu"
for compiler in $compilers; do
    if ! "$lab" run $all --kernel reduce_sum --n 1 --compiler "$compiler" \
        >"$folder/out" 2>&1; then
        echo "skipped: operators with $compiler: $(head -n 1 "$folder/out")"
        skipped=$((skipped + 76))
        continue
    fi
    with=(--compiler "$compiler" --device "$device")
    for op in sum max min and or bitand bitor argmax argmin; do
        for launch in '--n 0' '--n 33 --data ramp' '--n 1000 --data negative' \
            '--n 5000 --data integers --block 96' '--n 20000 --data spike' \
            '--n 4099 --data cancel --grid 3' '--n 100003 --block 1024'; do
            # shellcheck disable=SC2086 # a list of options
            run 0 $all reduce_$op $op $launch "${with[@]}"
        done
    done
    for launch in '--n 0' '--n 5000 --data ones' '--n 40 --data random' \
        '--n 100003 --data random' '--n 33 --data negative'; do
        # shellcheck disable=SC2086 # a list of options
        run 0 $all reduce_product product $launch "${with[@]}"
    done
    run 0 docs/kernels/exercises.cu above above --n 9999 "${with[@]}"
    run 1 docs/kernels/exercises.cu above sum --n 9999 "${with[@]}"
    run 0 "$folder/zero.cu" reduce_max max --n 1000 --data ramp "${with[@]}"
    run 1 "$folder/zero.cu" reduce_max max --n 1000 --data negative "${with[@]}"
    run 0 "$folder/late.cu" reduce_argmax argmax --n 1000 --data random \
        "${with[@]}"
    run 1 "$folder/late.cu" reduce_argmax argmax --n 9000 --data ramp "${with[@]}"
    run 1 $all reduce_sum max --n 1000 --data ramp "${with[@]}"
    run 1 $all reduce_or and --n 4099 --data cancel "${with[@]}"
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
