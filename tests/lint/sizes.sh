#!/usr/bin/env bash
# Sizes: no file of 600 lines or more, no function of 60 or more.  What nvcc
# wrote (tests/golden/ptx) and what was found by fuzzing is as long as it is.
set -u
cd "$(dirname "$0")/../.." || exit 2
bad=0
while IFS= read -r -d '' file; do
    [ -e "$file" ] || continue
    lines=$(wc -l <"$file")
    if [ "$lines" -ge 600 ]; then
        echo "$file: $lines lines, 599 at most"
        bad=1
    fi
done < <(git ls-files -z -- '*.c' '*.h' '*.def' '*.cu' '*.cuh' '*.sh' '*.md' \
    '*.ptx' '*.alu' '*.js' '*.css' '*.html' '*.py' Makefile | grep -Ezv '^tests/(fuzz/corpus|golden/ptx)/')

# Pictures: 60 KB, or a page of them takes long.
while IFS= read -r -d '' file; do
    [ -e "$file" ] || continue
    bytes=$(wc -c <"$file")
    if [ "$bytes" -gt 60000 ]; then
        echo "$file: $bytes bytes, 60000 at most"
        bad=1
    fi
done < <(git ls-files -z -- docs/gallery)

# A function begins at the last line in column 1 before its '{' in column 1,
# and ends at the '}' in column 1.
long_functions() {
    awk '
        FNR == 1 { inside = 0 }
        /^[a-zA-Z].*[(]/ && !/;$/ { name = $0; start = FNR }
        /^{/ { inside = 1 }
        /^}/ && inside {
            inside = 0
            if (FNR - start + 1 >= 60)
                printf "%s:%d: function of %d lines, 59 at most: %s\n",
                    FILENAME, start, FNR - start + 1, name
        }' "$@"
}
found=$(git ls-files -z -- '*.c' '*.h' | while IFS= read -r -d '' file; do
    if [ -e "$file" ]; then long_functions "$file"; fi
done)
if [ -n "$found" ]; then
    echo "$found"
    bad=1
fi
exit $bad
