#!/usr/bin/env bash
# The documents: pages that come from tables are fresh; what the pages show,
# code, outputs and numbers, is what the kit does now (tests/book.sh); what
# they name is there (tests/docs_pages.sh); figures are what their script draws;
# the site builds (tests/docs_site.sh); and these checks see what they must
# (tests/docs_self.sh).
# Ends with `N passed, M failed, K skipped`.
#
#   tests/docs.sh [BIN]     BIN: the folder with the programs (build/bin)
set -u
cd "$(dirname "$0")/.." || exit 2
bin=${1:-build/bin}
passed=0
failed=0
skipped=0
logs=$(mktemp -d) || exit 2
trap 'rm -rf "$logs"' EXIT
same() { # same FILE COMMAND HOW-TO: the file is what the command prints
    if eval "$2" | cmp -s - "$1"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1 is not what it comes from: $3"
    fi
}
add() { # add LOG: the last line has the numbers of a part
    sed '$d' "$1"
    if [[ $(tail -n 1 "$1") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]
    then
        passed=$((passed + BASH_REMATCH[1]))
        failed=$((failed + BASH_REMATCH[2]))
        skipped=$((skipped + BASH_REMATCH[3]))
    else
        failed=$((failed + 1))
        tail -n 1 "$1"
    fi
}

tests/book.sh check "$bin" >"$logs/book" 2>&1 &
same docs/ptx-subset.md "$bin/ptx_describe" 'make docs'
same common/lab/speed.def "$bin/speed_figures" 'make figures'
for figure in docs/figures/*.svg; do
    if [ -e "$figure" ]; then
        same "$figure" "docs/figures/draw.sh $(basename "$figure" .svg)" \
            'make docs'
    fi
done
tests/docs_pages.sh "$bin" >"$logs/pages" 2>&1
add "$logs/pages"
tests/docs_self.sh "$bin" >"$logs/self" 2>&1
add "$logs/self"
tests/docs_site.sh >"$logs/site" 2>&1
add "$logs/site"
# The time model: the tables are what it says now, and within the bounds.  Its
# PTX is nvcc 13's; other compilers write other code.
if nvcc --version 2>/dev/null | grep -q 'release 13\.'; then
    same docs/time-model.md "$bin/time_table docs/time-model.md" 'make docs'
    if "$bin/time_table" docs/time-model.md --check; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo 'the time model is beyond the bounds that it promises'
    fi
else
    skipped=$((skipped + 2))
    echo 'skipped: the tables of docs/time-model.md need nvcc 13'
fi
wait
add "$logs/book"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
