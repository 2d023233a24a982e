#!/usr/bin/env bash
# Words: no unfinished marks outside the labs, no paths of one machine, no
# tabs or spaces at the end of a line, no carriage returns.
set -u
cd "$(dirname "$0")/../.." || exit 2
bad=0
complain() { # complain WHAT: lines on standard input are the places
    local found
    found=$(cat)
    if [ -n "$found" ]; then
        printf '%s\n' "$found" | sed "s/\$/   <- $1/"
        bad=1
    fi
}
files() { # tracked files that are there, without binary and found ones
    git ls-files -z -- . ':!tests/fuzz/corpus' ':!LICENSE' |
        while IFS= read -r -d '' f; do
            if [ -f "$f" ]; then printf '%s\0' "$f"; fi
        done
}
search() { files | xargs -0 grep -nIE "$@" /dev/null; }

complain 'unfinished' < <(search '\b(TO[D]O|FIX[M]E|X[X]X)\b' |
    grep -vE '^(labs/|grading/skeletons/|tests/lint/|solutions/)' |
    grep -vE "^[^:]*\.(c|h|md|sh):[0-9]+:.*(// )?(END )?TO[D]O( regions?|s|\`|\")")
complain 'a path of one machine' < <(search '/(work|root|home|Users)/[a-z]')
complain 'space at the end' < <(search '[[:blank:]]+$' | grep -v '\.md:')
complain 'carriage return' < <(search $'\r')
exit $bad
