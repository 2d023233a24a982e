#!/usr/bin/env bash
# The charts of experiments: in a terminal and elsewhere, and by gnuplot.
# Ends with `N passed, M failed, K skipped`.
#   tests/plot.sh [LAB]     the program (build/bin/lab)
set -u
cd "$(dirname "$0")/.." || exit 2
lab=${1:-build/bin/lab}
passed=0
failed=0
skipped=0
ok() { # ok WHAT COMMAND...
    if "${@:2}"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1"
    fi
}
escape=$(printf '\033')
has() { grep -q -- "$1" <<<"$output"; }
lacks() { ! has "$1"; }
in_terminal() { # as on a terminal of its own
    output=$(TERM=xterm script -qec "$lab experiment ladder --n 100000" /dev/null \
        </dev/null 2>&1)
}

for experiment in crossover block-size steps accuracy atomics ladder; do
    n=100000
    if [ $experiment = atomics ]; then continue; fi # eleven compilations
    output=$("$lab" experiment $experiment --n $n 2>&1)
    ok "$experiment: no chart" has '#\+ [0-9.e+-]*x\?$'
    ok "$experiment: a line of more than 80 columns" \
        awk 'length > 80 { exit 1 }' <<<"$output"
    ok "$experiment: escapes in a file" lacks "$escape"
done
if script -qec true /dev/null >/dev/null 2>&1; then
    export LC_ALL=C.UTF-8
    in_terminal
    ok 'a terminal: no blocks' has '█'
    ok 'a terminal: no colour' has "$escape\\[32m"
    export NO_COLOR=1
    in_terminal
    ok 'NO_COLOR: colours' lacks "$escape\\[3"
    export LC_ALL=C
    in_terminal
    ok 'a terminal without UTF-8: blocks' lacks '█'
    unset NO_COLOR LC_ALL
else
    echo 'skipped: a terminal needs script and /dev/pts'
    skipped=$((skipped + 1))
fi
if command -v gnuplot >/dev/null 2>&1; then
    for experiment in crossover block-size steps accuracy ladder; do
        rm -f build/$experiment.svg build/$experiment.png
    done
    output=$("$lab" plot 2>&1)
    ok "lab plot fails: $output" [ $? = 0 ]
    for experiment in crossover block-size steps accuracy ladder; do
        ok "no build/$experiment.svg" grep -q '<path' build/$experiment.svg
        ok "no build/$experiment.png" \
            test "$(head -c 4 build/$experiment.png | tail -c 3)" = PNG
    done
    ok 'the stages are not named' grep -q '>v6' build/ladder.svg
    output=$(PATH=/nowhere "$lab" plot ladder 2>&1)
    ok 'nobody says where gnuplot is' has 'apt-get install gnuplot-nox'
else
    echo 'skipped: pictures need gnuplot (apt-get install gnuplot-nox)'
    skipped=$((skipped + 1))
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
