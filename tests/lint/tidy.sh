#!/usr/bin/env bash
# clang-tidy over all C files, on all cores; what to check is in .clang-tidy.
# The analyzer takes most of the time; LINT=quick leaves it out (make test).
# A file that was clean stays so until it or a header of ours changes, so a
# second run is quick: build/tidy keeps the marks.
set -u
cd "$(dirname "$0")/../.." || exit 2
marks=build/tidy
mkdir -p "$marks"
checks=
if [ "${LINT:-}" = quick ]; then checks='-clang-analyzer-*'; fi
headers=$(echo "$checks" | cat - .clang-tidy common/*/*.h common/*/*.def \
    grading/*.h tests/support/*.h 2>/dev/null | cksum)
export headers marks checks
one() {
    local mark
    mark=$marks/$(echo "$1$headers$(cksum <"$1")" | cksum | tr ' ' -)
    [ -e "$mark" ] && return
    if clang-tidy --quiet --checks="$checks" "$1" -- -std=gnu11 -Icommon -I. \
        -DHAVE_JANSSON=1 \
        2>"$mark.log" >"$mark.out"; then
        : >"$mark"
    else
        grep -v '^[0-9]* warnings' "$mark.out"
        echo "$1: see above" >&2
        rm -f "$mark.log" "$mark.out"
        return 1
    fi
    rm -f "$mark.log" "$mark.out"
}
export -f one
# shellcheck disable=SC2016 # the inner shell expands $1
git ls-files -z --cached --others --exclude-standard -- '*.c' |
    while IFS= read -r -d '' f; do
        if [ -f "$f" ]; then printf '%s\0' "$f"; fi
    done | xargs -0 -P "$(nproc)" -I{} bash -c 'one "$1"' - {}
