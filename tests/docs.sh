#!/usr/bin/env bash
# The documents that come from tables are fresh, and every file that a
# document links to is there.  Ends with `N passed, M failed, K skipped`.
set -u
cd "$(dirname "$0")/.." || exit 2
passed=0
failed=0
if build/bin/ptx_describe | cmp -s - docs/ptx-subset.md; then
    passed=1
else
    failed=1
    echo 'docs/ptx-subset.md is not what the tables say: make docs'
fi
# The time model: the tables are what it says now, and within the bounds.  Its
# PTX is nvcc 13's; other compilers write other code.
skipped=0
if build/bin/speed_figures | cmp -s - common/lab/speed.def; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo 'common/lab/speed.def is not what the solutions take: make figures'
fi
if nvcc --version 2>/dev/null | grep -q 'release 13\.'; then
    if build/bin/time_table docs/time-model.md | cmp -s - docs/time-model.md
    then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo 'docs/time-model.md is not what the time model says: make docs'
    fi
    if build/bin/time_table docs/time-model.md --check; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo 'the time model is beyond the bounds that it promises'
    fi
else
    skipped=2
    echo 'skipped: the tables of docs/time-model.md need nvcc 13'
fi
while IFS=: read -r file link; do
    case $link in http*:* | '#'*) continue ;; esac
    if [ -e "$(dirname "$file")/${link%%#*}" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$file: the link to $link leads nowhere"
    fi
done < <(git ls-files -- '*.md' | while read -r file; do
    grep -oE '\]\([^) ]+\)' "$file" | sed "s|^](|$file:|; s|)\$||"
done)
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
