#!/usr/bin/env bash
# All tests of the kit: builds what they need, runs the parts two at a time,
# and ends with one line `N passed, M failed, K skipped`.
#
#   tests/run.sh [PART...]     only these parts; without: all
set -u
cd "$(dirname "$0")/.." || exit 2
logs=build/test
mkdir -p "$logs"
rm -f "$logs"/*.log "$logs"/*.result
# One level of the CPU: the lane loops are the same text at each.
sanitize=(BUILD=build/asan CC=clang OPTIMIZE=-O1 ALU_LEVELS=
    EXTRA_CFLAGS=-DRANDOM_ROUNDS=1
    "SANITIZE=-fsanitize=address,undefined -fno-sanitize-recover=all")

# The sanitizers over the units, the hand-written PTX, what the fuzzers found
# and a part of the kernels.
part_sanitize() {
    local total=0 bad=0 part
    export ASAN_OPTIONS=detect_stack_use_after_return=0
    # Left out: figures over many elements, whose code the commands below run.
    for part in "tests/unit.sh build/asan/unit test_lab_data test_lab_compare \
        test_counters" "tests/ptx.sh build/asan/bin" \
        "fuzz_corpus build/asan/bin" sanitized_kernels sanitized_commands; do
        # shellcheck disable=SC2086 # a command and its argument
        $part >"$logs/sanitize.part" 2>&1
        sed '$d' "$logs/sanitize.part"
        if [[ $(tail -n 1 "$logs/sanitize.part") =~ ^([0-9]+)\ passed,\ ([0-9]+) ]]; then
            total=$((total + BASH_REMATCH[1]))
            bad=$((bad + BASH_REMATCH[2]))
        else
            tail -n 5 "$logs/sanitize.part"
            bad=$((bad + 1))
        fi
    done
    echo "$total passed, $bad failed, 0 skipped"
}
sanitized_kernels() {
    COMPILERS=clang tests/kernels.sh build/asan/bin/lab \
        tests/kernels/ok_[a-f]*.cu
}
sanitized_commands() { # those that say nothing of a kernel, but show it
    local passed=0 failed=0 stage command
    for stage in solutions/*; do
        for command in 'counters --n 3000 --by line --json' \
            'counters --n 70000 --by step' 'run --n 5000 --data cancel --json' \
            "trace --n 300 --out $logs/page.html"; do
            # shellcheck disable=SC2086 # a command and its options
            if build/asan/bin/lab ${command%% *} "${stage#*/}" --from solutions \
                ${command#* } >"$logs/sanitize.command" 2>&1; then
                passed=$((passed + 1))
            else
                failed=$((failed + 1))
                echo "$command ${stage#*/}: exit status $?"
                head -n 20 "$logs/sanitize.command"
            fi
        done
    done
    echo "$passed passed, $failed failed, 0 skipped"
}
fuzz_corpus() { # fuzz_corpus FOLDER: every input must end by itself
    local passed=0 failed=0 file program files=(tests/fuzz/corpus/*)
    for program in "$1/fuzz_ptx" "$1/fuzz_exec"; do
        if timeout 120 "$program" "${files[@]}" >/dev/null 2>&1; then
            passed=$((passed + ${#files[@]}))
            continue
        fi
        for file in "${files[@]}"; do # which one?
            if timeout 30 "$program" "$file" >/dev/null 2>&1; then
                passed=$((passed + 1))
            else
                echo "$program $file: exit status $?"
                failed=$((failed + 1))
            fi
        done
    done
    echo "$passed passed, $failed failed, 0 skipped"
}
part_unit() { tests/unit.sh build/unit; }
part_ptx() { tests/ptx.sh build/bin; }
part_kernels() { tests/kernels.sh build/bin/lab; }
part_random() { build/bin/random_case --count 3000 tests/random/kept/*.ptx; }
part_student() { tests/student.sh build/bin/lab; }
part_claims() { tests/claims.sh build/bin/lab; }
part_operators() { tests/operators.sh build/bin/lab; }
part_labs() { tests/labs.sh; }
part_concept() { tests/concept.sh; }
part_input() { tests/bad_input.sh; }
part_setup() { tests/setup.sh; }
part_same() { tests/same.sh build/bin; }
part_driver() { tests/driver.sh build/bin; }
part_fuzz() { fuzz_corpus build/bin; }
part_docs() { tests/docs.sh; }
part_browser() { tests/browser.sh build/bin; }
part_plot() { tests/plot.sh build/bin/lab; }
part_lint() { LINT=quick tests/lint/all.sh; } # make lint: the analyzer too

parts=(kernels labs concept lint sanitize same driver input random unit ptx
    fuzz docs browser setup plot operators claims student)
if [ $# -gt 0 ]; then parts=("$@"); fi

build() { # build LOG ARGUMENTS...: quiet unless it fails
    # MAKEFLAGS: a make above would lend us no job of its own.
    if ! MAKEFLAGS='' make -s -j"$(nproc)" WERROR=-Werror "${@:2}" \
        >"$logs/$1.log" 2>&1; then
        grep -vE '^  (cc|gcc|clang|link) ' "$logs/$1.log" | head -n 40
        echo "building failed: $1"
        echo "0 passed, 1 failed, 0 skipped"
        exit 1
    fi
}

# One part: its log, and its numbers in a file.
run_part() {
    local start=$SECONDS last
    "part_$1" >"$logs/$1.log" 2>&1 </dev/null
    last=$(tail -n 1 "$logs/$1.log")
    if [[ ! $last =~ ^[0-9]+\ passed,\ [0-9]+\ failed,\ [0-9]+\ skipped$ ]]; then
        last='0 passed, 1 failed, 0 skipped'
    fi
    printf '  %-9s %s  (%d s)\n' "$1" "$last" $((SECONDS - start))
    if [[ $last != *' 0 failed,'* ]]; then
        head -n 60 "$logs/$1.log" | sed 's/^/    /'
    else
        grep '^skipped:' "$logs/$1.log" | sed 's/^/    /'
    fi
    echo "$last" >"$logs/$1.result"
}

started=$SECONDS
build build all
echo "  built     ($((SECONDS - started)) s)"
if [[ " ${parts[*]} " == *' sanitize '* ]]; then
    build asan "${sanitize[@]}" units \
        build/asan/bin/{lab,kernel_case,ptx_case,alu_case,fuzz_ptx,fuzz_exec}
    echo "  built with sanitizers ($((SECONDS - started)) s)"
fi
running=0
for part in "${parts[@]}"; do
    if [ $running -ge "$(nproc)" ]; then
        wait -n
        running=$((running - 1))
    fi
    run_part "$part" &
    running=$((running + 1))
done
wait
read -r passed failed skipped < <(cat "$logs"/*.result |
    awk '{ p += $1; f += $3; s += $5 } END { print p, f, s }')
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
