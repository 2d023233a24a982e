#!/usr/bin/env bash
# The figures of the book.
#
#   docs/figures/draw.sh          write all of them to docs/figures/*.svg
#   docs/figures/draw.sh NAME     print one
set -eu
cd "$(dirname "$0")"
names=$(sed -n 's/.*figure == "\([a-z0-9_]*\)".*/\1/p' main.awk)
one() {
    awk -v figure="$1" -f shapes.awk -f draw.awk -f more.awk -f main.awk \
        ../../tests/golden/times.csv
}
if [ $# -gt 0 ]; then
    one "$1"
    exit
fi
for name in $names; do
    one "$name" >"$name.svg.new"
    if cmp -s "$name.svg.new" "$name.svg"; then
        rm "$name.svg.new"
    else
        mv "$name.svg.new" "$name.svg"
        echo "docs/figures/$name.svg: drawn again"
    fi
done
