#!/usr/bin/env bash
# A student's way through a lab: checked as shipped, hints, solved, broken,
# compared, set back; and what `lab progress` says after each step.
#   tests/student.sh [PROGRAM]     build/bin/lab
# Works on a copy of the kit.  Ends with `N passed, M failed, K skipped`.
set -u
cd "$(dirname "$0")/.." || exit 2
lab=$(realpath "${1:-build/bin/lab}")
kit=$(mktemp -d) || exit 2
trap 'rm -rf "$kit"' EXIT
mkdir "$kit/labs" "$kit/build"
cp -r solutions common grading "$kit/"
for skeleton in grading/skeletons/*.cu; do # labs/ may be a student's
    stage=$(basename "$skeleton" .cu)
    mkdir "$kit/labs/$stage"
    cp "$skeleton" "$kit/labs/$stage/kernel.cu"
done
export LAB_HOME=$kit NO_COLOR=1
mine=$kit/labs/v1_interleaved/kernel.cu
passed=0
failed=0
try() { # try NAME STATUS REGEX COMMAND...
    local status
    output=$("${@:4}" 2>&1 </dev/null)
    status=$?
    if [ $status = "$2" ] && tr -s ' \n' ' ' <<<"$output" | grep -qE -- "$3"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1: exit status $status, expected $2 and /$3/:"
        head -n 12 <<<"$output" | sed 's/^/    /'
    fi
}
is() { # is NAME STATE: of v1
    try "$1" 0 "v1 a block folds in shared memory: a tree $2 v2" "$lab" progress
}

try 'nothing done yet' 0 '0 of 9 passed; next: labs/v0' "$lab" progress
try 'as shipped' 1 'wrong sum.*in\[1\].*a hint: make hint LAB=v1' "$lab" check v1
is 'after that' failed
try 'first hint' 0 'more: make hint LAB=v1 LEVEL=2' "$lab" hint v1
first=$output
try 'last hint' 0 'for \(' "$lab" hint v1 --level 3
try 'which is another' 1 '' [ "$first" = "$output" ]
try 'no fourth' 2 'level' "$lab" hint v1 --level 4
try 'no difference yet' 0 'as it was shipped' "$lab" diff v1

cp solutions/v1_interleaved/kernel.cu "$mine"
is 'solved, not checked' 'changed since the last check'
try 'solved' 0 'passed' "$lab" check v1
is 'after that' passed
try 'and counted' 0 '1 of 9 passed; next: labs/v0' "$lab" progress
try 'the difference' 0 '\+ *s\[tid\] \+= s\[tid \+ stride\];' "$lab" diff v1

sed -i 's/i < n ? in\[i\]/i < n \&\& i != 5 ? in[i]/' "$mine"
try 'one element dropped' 1 'in\[5\]' "$lab" check v1
is 'after that' failed
sed -i 's/i != 5/i != 6/' "$mine"
is 'edited' 'changed since the last check'
sed -i 's/__shared__ float/__shared__ flaot/' "$mine"
try 'a word misspelt' 1 'v1_interleaved/kernel.cu.*flaot' "$lab" check v1

cp "$mine" "$kit/before.cu"
try 'set back' 0 'as it was shipped again.*kept in labs/v1_interleaved/kernel' \
    "$lab" reset v1
try 'it is' 0 '' cmp "$mine" "$kit/grading/skeletons/v1_interleaved.cu"
kept=("$kit"/labs/v1_interleaved/kernel.cu.*)
try 'and the old one is kept' 0 '' cmp "${kept[0]}" "$kit/before.cu"
is 'after that' 'as shipped'
echo '// mine' >>"$mine"
try 'set back again' 0 'kept in' "$lab" reset v1
kept=("$kit"/labs/v1_interleaved/kernel.cu.*)
try 'both are kept' 0 '' [ ${#kept[@]} = 2 ]
try 'nothing to set back' 0 'as it was shipped' "$lab" reset v1
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
