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
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
