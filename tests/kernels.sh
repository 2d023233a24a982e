#!/usr/bin/env bash
# Runs tests/kernels/*.cu as tests/kernels/README.md says, with both device
# compilers; those that are not there are skipped, out loud.
#
#   tests/kernels.sh [PROGRAM [FILE...]]
#
# PROGRAM is the `lab` to use (build/bin/lab).  Prints what is not as
# expected, then `N passed, M failed, K skipped`.
set -u
cd "$(dirname "$0")/.." || exit 2
lab=${1:-build/bin/lab}
if [ $# -gt 0 ]; then shift; fi
files=("$@")
if [ ${#files[@]} = 0 ]; then files=(tests/kernels/*.cu); fi
compilers=${COMPILERS:-clang nvcc}
export lab

# `key: value` lines at the top of a file, a line each.
header() { sed -n "s|^// $2: *||p" "$1"; }

# One line for one run: passed, or what went wrong.
judge() { # judge FILE COMPILER EXPECT OPTIONS...
    local output status
    output=$("$lab" run "$1" --compiler "$2" --json "${@:4}" 2>&1 </dev/null)
    status=$?
    case $output in # a kernel that does not compile has no verdict
    *'"verdict"'*) ;;
    *) status=$status,no-verdict ;;
    esac
    case $3:$status in
    ok:0 | wrong:1) echo passed ;;
    *)
        echo "failed: $1, expected $3, exit status $status:" \
            "lab run --compiler $2 ${*:4}"
        echo "$output" | head -n 12 | sed 's/^/    /'
        ;;
    esac
}

one() { # one COMPILER FILE
    local compiler=$1 file=$2 expect launch data options pair
    expect=$(header "$file" expect)
    expect=${expect%% *}
    for data in $(header "$file" data | grep . || echo random); do
        while read -r launch; do
            options=(--data "$data")
            case $launch in *n=*) ;; *) options+=(--n 100003) ;; esac
            for pair in $launch; do
                case $pair in
                cooperative=*) ;; # the simulator allows it always
                *) options+=("--${pair%%=*}" "${pair#*=}") ;;
                esac
            done
            judge "$file" "$compiler" "$expect" "${options[@]}"
        done < <(header "$file" launch | grep . || echo block=256)
    done
}
export -f one judge header

log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
skipped=0
work() { # COMPILER FILE pairs, each ended by a \0
    local compiler file
    for compiler in $compilers; do
        for file in "${files[@]}"; do
            if [ "$compiler" = clang ] && [ -n "$(header "$file" needs)" ]; then
                continue
            fi
            printf '%s\0%s\0' "$compiler" "$file"
        done
    done
}
for compiler in $compilers; do
    if ! "$lab" run "${files[0]}" --compiler "$compiler" --n 1 \
        >/dev/null 2>&1 && [ $? = 2 ]; then
        echo "skipped: ${#files[@]} kernels with $compiler, which is not here"
        skipped=$((skipped + ${#files[@]}))
        compilers=${compilers/$compiler/}
    fi
done
# shellcheck disable=SC2016 # the inner shell expands them
work | xargs -0 -n 2 -P "$(nproc)" bash -c 'one "$1" "$2"' - >"$log"
passed=$(grep -c '^passed' "$log")
failed=$(grep -c '^failed' "$log")
grep -v '^passed' "$log"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
