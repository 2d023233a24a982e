#!/usr/bin/env bash
# Runs the kernels of tests/kernels, faulty and right ones, under the four tools of
# compute-sanitizer, on a machine with a GPU and nvcc:
#
#   tests/golden/sanitize.sh FOLDER     some minutes; JOBS at once (12)
#   cp FOLDER/sanitizer.csv tests/golden/
#
# With the FOLDER of a run that was stopped it goes on from there.
#
# Each kernel runs once, with the first `launch:` line of its file (n = 1003
# where that names none).  A row is kernel, tool, number of errors and the
# first thing that the tool said; "hang" is a run ended after 10 s.
# shellcheck disable=SC2016 # the inner shell expands
set -u
cd "$(dirname "$0")/../.." || exit 2
out=${1:?usage: sanitize.sh FOLDER}
mkdir -p "$out/ptx" "$out/rows"
export out

compile() { # compile FILE
    local ptx=$out/ptx/${1##*/}
    nvcc -ptx -lineinfo -arch=sm_80 -o "${ptx%.cu}.ptx" "$1" 2>/dev/null
}
one() { # one FILE TOOL
    local name=${1##*/} launch data log count said
    name=${name%.cu}
    if [ -s "$out/rows/$name.$2" ]; then return; fi # of a run that was stopped
    launch=$(sed -n 's|^// launch: *||p' "$1" | head -n 1)
    data=$(sed -n 's|^// data: *||p' "$1" | head -n 1 | cut -d' ' -f1)
    # shellcheck disable=SC2086 # words
    log=$(timeout 10 compute-sanitizer --tool "$2" --print-limit 100 \
        build/bin/gpu_launch "$out/ptx/$name.ptx" ${launch:-block=256} \
        data="${data:-random}" 2>&1)
    local status=$?
    count=$(sed -n 's/.*ERROR SUMMARY: \([0-9]*\) error.*/\1/p' <<<"$log" | tail -n 1)
    if [ "$2" = racecheck ]; then
        count=$(sed -n 's/.*RACECHECK SUMMARY: \([0-9]*\) hazard.*/\1/p' <<<"$log" | tail -n 1)
    fi
    said=$(sed -n 's/^=* *//; /^COMPUTE-SANITIZER/d; /SUMMARY/d; /[a-z]/p' <<<"$log" |
        grep -E 'Invalid|Barrier|Race|Error|Uninit|hazard|error|Misaligned|divergent' |
        head -n 1 | tr ',"' ';'"'" | cut -c1-110)
    if [ $status = 124 ]; then said=hang; fi
    echo "$name,$2,${count:--},$said" >"$out/rows/$name.$2"
    sed -n 1,14p <<<"$log" >"$out/rows/$name.$2.log"
}
export -f compile one
files=(tests/kernels/*.cu)
printf '%s\0' "${files[@]}" |
    xargs -0 -P "${JOBS:-12}" -I{} bash -c 'compile "$1"' _ {}
for file in "${files[@]}"; do
    if [ -f "$out/ptx/$(basename "$file" .cu).ptx" ]; then
        for tool in memcheck racecheck synccheck initcheck; do
            printf '%s\0%s\0' "$file" $tool
        done
    fi
done | xargs -0 -P "${JOBS:-12}" -n 2 bash -c 'one "$1" "$2"' _
{
    echo kernel,tool,errors,first
    cat "$out"/rows/*check | sort
} >"$out/sanitizer.csv"
