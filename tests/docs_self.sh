#!/usr/bin/env bash
# The checks of the pages see what they must see: a page with one mistake of
# each kind, and the near miss of each beside it.
#
#   tests/docs_self.sh [BIN]     ends with `N passed, M failed, K skipped`
set -u
cd "$(dirname "$0")/.." || exit 2
bin=${1:-build/bin}
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
passed=0
failed=0
expect() { # expect COUNT TEXT FILE: so many lines of FILE have TEXT
    local count
    count=$(grep -cF -- "$2" "$3")
    if [ "$count" = "$1" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "'$2' is told $count times, not $1"
        sed 's/^/    /' "$3"
    fi
}

cat >"$folder/good.md" <<'END'
# A page

Hint: [here](#a-page), `make v3`, `lab run v3 --n 5`, `bad_empty`, figures:
![What a reader who cannot see it should know](figures/kit.svg)

Twelve: <!-- = echo 12 -->12<!-- -->.

<!-- show: code solutions/v0_atomic/kernel.cu todo -->
```cuda
atomicAdd(out, in[i]);
```

<!-- run: lab run v0 --from solutions --n 3 --data ones | lines value -->
```text
$ lab run v0 --from solutions --n 3 --data ones
  value      3
...
```
END
sed -e 's/#a-page/#a-pag/' -e 's/`make v3`/`make w3`/' -e 's/--n 5/--m 5/' \
    -e 's/`bad_empty`/`bad_emty`/' -e 's/!\[What.*see it.*\]/![short]/' \
    "$folder/good.md" >"$folder/bad.md"
sed -e 's/-->12</-->13</' -e 's/^atomicAdd(out, in/atomicAdd(out, on/' \
    -e 's/^  value      3/  value      4/' "$folder/good.md" >"$folder/stale.md"
sed 's/^Twelve: //' "$folder/good.md" >"$folder/start.md"
sed 's/lab run v0/lab run v77/' "$folder/good.md" >"$folder/cannot.md"
mkdir "$folder/figures"
: >"$folder/figures/kit.svg"

check() { # check SCRIPT PAGE: what it says to $folder/out
    PAGES="$folder/$2.md" WORK=$folder/work tests/"$1" ${3+"$3"} "$bin" \
        >"$folder/out" 2>&1
}
check docs_pages.sh good
expect 1 ' 0 failed' "$folder/out"
check docs_pages.sh bad
expect 1 'has no heading #a-pag' "$folder/out"
expect 1 'there is no target w3' "$folder/out"
expect 1 'lab run has no --m' "$folder/out"
expect 1 'there is no tests/kernels/bad_emty.cu' "$folder/out"
expect 1 'a figure needs words' "$folder/out"
expect 1 ' 5 failed' "$folder/out"
check book.sh good check
expect 1 '3 passed, 0 failed' "$folder/out"
check book.sh stale check
expect 1 'is not what its commands print now' "$folder/out"
expect 1 '> Twelve: <!-- = echo 12 -->12<!-- -->.' "$folder/out"
expect 1 '> atomicAdd(out, in[i]);' "$folder/out"
expect 1 '>   value      3' "$folder/out"
check book.sh start check
expect 1 'a line must not begin with' "$folder/out"
check book.sh cannot check
expect 1 'could not run (status 2): lab run v77' "$folder/out"
check book.sh stale refresh
check book.sh stale check
expect 1 '3 passed, 0 failed' "$folder/out"
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
