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
at_once=1 # the analyzer takes a second va_list for one that was never begun
if [ "${LINT:-}" = quick ]; then
    checks='-clang-analyzer-*'
    at_once=16
fi
headers=$(echo "$checks" | cat - .clang-tidy common/*/*.h common/*/*.def \
    grading/*.h tests/support/*.h 2>/dev/null | cksum)
mark_of() { # mark_of FILE: is there once it was clean
    echo "$marks/$(echo "$1$headers$(cksum <"$1")" | cksum | tr ' ' -)"
}
some() { # some FILE...: many at once, to start is half of its time
    local said file
    if said=$(clang-tidy --quiet --checks="$checks" "$@" -- -std=gnu11 -Icommon \
        -I. -DHAVE_JANSSON=1 2>/dev/null); then
        for file in "$@"; do : >"$(mark_of "$file")"; done
        return
    fi
    echo "$said"
    return 1
}
export headers marks checks
export -f some mark_of
# shellcheck disable=SC2016 # the inner shell expands $@
git ls-files -z --cached --others --exclude-standard -- '*.c' |
    while IFS= read -r -d '' f; do
        if [ -f "$f" ] && [ ! -e "$(mark_of "$f")" ]; then printf '%s\0' "$f"; fi
    done | xargs -0 -r -P "$(nproc)" -n $at_once bash -c 'some "$@"' -
