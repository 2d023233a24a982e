#!/usr/bin/env bash
# Bad input: each ends in one clear message and exit status 1 (the student's
# file is wrong) or 2 (we could not run), and nothing is lost.  A row is
#     try NAME STATUS REGEX COMMAND...
# Ends with `N passed, M failed, K skipped`.
set -u
cd "$(dirname "$0")/.." || exit 2
root=$PWD
lab=$root/build/bin/lab
passed=0
failed=0
skipped=0
dir=$(mktemp -d) || exit 2
trap 'chmod -R u+w "$dir"; rm -rf "$dir"' EXIT

check() { # check NAME STATUS REGEX, with $status and $output
    if [[ $status =~ ^$2$ ]] && grep -qE -- "$3" <<<"$output" &&
        [ "$(wc -l <<<"$output")" -le 30 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1: exit status $status, expected $2 and /$3/:"
        head -n 12 <<<"$output" | sed 's/^/    /'
    fi
}
try() {
    output=$(timeout 60 "${@:4}" 2>&1 </dev/null)
    status=$?
    check "$1" "$2" "$3"
}
skip() {
    echo "skipped: $1"
    skipped=$((skipped + 1))
}

# ---- kernels that are no good --------------------------------------------
good=$dir/good.cu
cp tests/kernels/ok_literal_32.cu "$good"
head='extern "C" __global__ void reduce(const float *in, float *out, size_t n)'
printf '%s\n{\n    float x = in[0]\n    *out = x;\n}\n' "$head" >"$dir/syntax.cu"
printf 'extern "C" __global__ void other(float *x) { *x = 1; }\n' \
    >"$dir/no_reduce.cu"
printf 'extern "C" __global__ void reduce(float *out) { *out = 1; }\n' \
    >"$dir/signature.cu"
printf '%s { }\nvoid reduce2(' "$head" >"$dir/cut.cu"
: >"$dir/empty.cu"
: >"$dir/empty.ptx"
head -c 4096 "$lab" >"$dir/binary.ptx"
head -c 4096 "$lab" >"$dir/binary.cu"
printf '%s { asm("wgmma.fence.sync.aligned;"); }\n' "$head" >"$dir/unknown.cu"
printf '.version 7.0\n.target sm_70\n.address_size 64\n' >"$dir/no_kernel.ptx"
cat >"$dir/whole.ptx" <<'END'
.version 7.0
.target sm_70
.address_size 64
.visible .entry reduce(.param .u64 in, .param .u64 out, .param .u64 n)
{
    .reg .b64 %d<4>;
    ld.param.u64 %d0, [out];
    wobble.u32 %d1, %d0;
    ret;
}
END
head -n 7 "$dir/whole.ptx" >"$dir/cut.ptx"
small=(--n 1000 --block 64)

for compiler in clang nvcc; do
    if ! "$lab" run "$good" "${small[@]}" --compiler $compiler \
        >/dev/null 2>&1; then
        skip "bad kernels with $compiler, which is not here"
        continue
    fi
    with=("${small[@]}" --compiler "$compiler")
    try "syntax error ($compiler)" 1 'syntax.cu[:(]3|syntax.cu[:(]4' \
        "$lab" run "$dir/syntax.cu" "${with[@]}"
    try "syntax error, caret ($compiler)" 1 '\^' \
        "$lab" run "$dir/syntax.cu" "${with[@]}"
    try "no reduce ($compiler)" 1 'reduce' \
        "$lab" run "$dir/no_reduce.cu" "${with[@]}"
    try "another signature ($compiler)" 1 'size_t n' \
        "$lab" run "$dir/signature.cu" "${with[@]}"
    try "cut off kernel ($compiler)" 1 'cut.cu' \
        "$lab" run "$dir/cut.cu" "${with[@]}"
    try "empty kernel ($compiler)" 1 'reduce|empty' \
        "$lab" run "$dir/empty.cu" "${with[@]}"
    try "binary kernel ($compiler)" 1 'binary.cu' \
        "$lab" run "$dir/binary.cu" "${with[@]}"
done
mkdir -p "$dir/lacks/v0_atomic"
printf '%s { out[0] = *(float *)malloc(n); }\n' "$head" \
    >"$dir/lacks/v0_atomic/kernel.cu"
if command -v nvcc >/dev/null; then # clang has no malloc() in a kernel
    try 'grade: a function that we lack' 2 '0 wrong, 1 not judged' \
        build/bin/grade --from "$dir/lacks" --compiler nvcc v0
fi
try 'an instruction we lack' 2 'unknown.cu:1' \
    "$lab" run "$dir/unknown.cu" "${small[@]}" --compiler clang
try 'an instruction we lack, by name' 2 'wgmma' \
    "$lab" run "$dir/unknown.cu" "${small[@]}" --compiler clang

# ---- PTX that is no good ---------------------------------------------------
try 'empty PTX' '[12]' 'empty' "$lab" run "$dir/empty.ptx" "${small[@]}"
try 'binary PTX' '[12]' 'binary.ptx' "$lab" run "$dir/binary.ptx" "${small[@]}"
try 'truncated PTX' '[12]' 'cut.ptx:5' \
    "$lab" run "$dir/cut.ptx" "${small[@]}"
try 'unknown opcode in PTX' '[12]' 'whole.ptx:8' \
    "$lab" run "$dir/whole.ptx" "${small[@]}"
try 'PTX without a kernel' '[12]' 'reduce' \
    "$lab" run "$dir/no_kernel.ptx" "${small[@]}"

# ---- words and numbers -------------------------------------------------------
try 'unknown stage' 2 'did you mean.*v3_sequential' "$lab" run v3_sequentail
try 'unknown stage, check' 2 'no stage|did you mean' "$lab" check v9
try 'unknown command' 2 'did you mean' "$lab" chekc v3
try 'unknown option' 2 'wobble' "$lab" run v3 --wobble
try 'unknown data' 2 'ramp' "$lab" run v3 --data rampp
try 'unknown device' 2 'sim' "$lab" run v3 --device gpu
try 'bad number' 2 '12x' "$lab" run v3 --n 12x
try 'block not accepted' 2 '96.*(power|32, 64)|(power|32, 64).*96' \
    "$lab" run v3 --from solutions --block 96
try 'block beyond the limit' 2 '1024' "$lab" run "$good" --block 1025
try 'grid beyond the limit' 2 '2147483647|2,147,483,647' \
    "$lab" run "$good" --grid 2147483648 --block 32
try 'shared memory beyond the limit' 2 'shared' \
    "$lab" run "$good" --shared 1000000
try 'compare: only one' 2 'lab compare v2 v3' "$lab" compare v2
try 'trace: no such block' 2 'blocks 0 to 3' \
    "$lab" trace v1 --from solutions --show 4 --out "$dir/page.html"
try 'trace: no such folder' 2 'nowhere' \
    "$lab" trace v1 --from solutions --out "$dir/nowhere/page.html"
try 'plot: no such experiment' 2 'crossover' "$lab" plot laddr
try 'n larger than memory' 2 'GB' "$lab" run v6 --from solutions --n 2^45
try 'no such file' 2 'nowhere.cu' "$lab" run "$dir/nowhere.cu"
try 'a folder as a kernel' 2 "$(basename "$dir")" "$lab" run "$dir/"
mkdir "$dir/folder.cu"
try 'a folder with the name of a kernel' 2 'folder.cu' \
    "$lab" run "$dir/folder.cu"
mkfifo "$dir/pipe.cu"
try 'a pipe as a kernel' 2 'pipe.cu: it is no regular file' \
    "$lab" run "$dir/pipe.cu"
ln -s loop.cu "$dir/loop.cu"
try 'a link to itself' 2 'loop.cu' "$lab" run "$dir/loop.cu"
try 'no elements' 0 'passed' "$lab" run "$good" --n 0
try 'no threads' 2 'block.*0' "$lab" run "$good" --block 0
try 'a number below 0' 2 "'-1' is not a whole number" \
    "$lab" run "$good" --n -1
try 'a number beyond 64 bits' 2 'outside 0 to' \
    "$lab" run "$good" --n 99999999999999999999999
try 'an offset beyond memory' 2 'GB' "$lab" run "$good" --offset 2^62
try 'an option without its value' 2 "'--n' needs a value" \
    "$lab" run "$good" --n
try 'no word' 2 'which stage or file' "$lab" run
try 'a word too many' 2 'one word too many' "$lab" run "$good" v3
try 'grade: no such folder' 2 'nowhere' build/bin/grade --from "$dir/nowhere"
mkdir "$dir/none"
try 'grade: nothing handed in' 1 '1 wrong, 0 not judged' \
    build/bin/grade --from "$dir/none" v0
try 'grade: unknown stage' 2 'v3x' build/bin/grade v3x
try 'grade: unknown suite' 2 'correct, fast, clean and concept' \
    build/bin/grade --suites cleen v3

mkdir -p "$dir/twice/v0_atomic" "$dir/zero/v0_atomic" "$dir/minute/v0_atomic"
cp "$dir/no_reduce.cu" "$dir/twice/v0_atomic/kernel.cu"
printf '#include "/dev/zero"\n%s { }\n' "$head" >"$dir/zero/v0_atomic/kernel.cu"
{ # takes a minute to compile
    printf '%s { float x = 0; size_t i = threadIdx.x;\n' "$head"
    seq -f 'if (i > %.0f) x = in[i] * x;' 60000
    echo '*out = x; }'
} >"$dir/minute/v0_atomic/kernel.cu"
try 'grade: what all suites say is said once' 1 \
    'correct, fast, clean, concept:' build/bin/grade --from "$dir/twice" v0
try 'grade: a file without an end' '[12]' '0 / 10' \
    build/bin/grade --from "$dir/zero" v0
build/bin/grade --from "$dir/minute" v0 >/dev/null 2>&1 </dev/null &
sleep 3
kill $!
wait $! 2>/dev/null
sleep 1
output=$(pgrep -f "$dir/minute" | wc -l)
status=0
check 'grade: stopped, no compiler goes on' 0 '^0$'
try 'grade: no suite at all' 2 'names none' build/bin/grade --suites '' v3

# ---- the likeliest cause in the first finding -------------------------------
printf '%s { *out += in[threadIdx.x]; }\n' "$head" >"$dir/lost.cu"
try 'an addition in three steps' 1 'atomicAdd\(\) is one' \
    "$lab" run "$dir/lost.cu" --n 256
sed 's/__syncthreads();/;/' solutions/v1_interleaved/kernel.cu >"$dir/tree.cu"
try 'a tree without barriers' 1 'no __syncthreads\(\) orders the two' \
    "$lab" run "$dir/tree.cu" --n 256
output=$(grep -c '__syncwarp' <<<"$output")
status=$?
check 'and no word of warps' 1 '^0$'

# ---- surroundings ------------------------------------------------------------
mkdir "$dir/a place  with 'spaces'"
cp "$good" "$dir/a place  with 'spaces'/my kernel.cu"
try 'a path with spaces' 0 'passed|right' \
    "$lab" run "$dir/a place  with 'spaces'/my kernel.cu" "${small[@]}"
printf '#include "nothere.h"\n' >"$dir/include.cu"
try 'an include that is not there' 1 'nothere.h' \
    "$lab" run "$dir/include.cu" "${small[@]}"
# nvcc hands names to a shell: a file must not be able to call one.
cp "$good" "$dir/a\$(touch called).cu"
try 'a name that a shell would run' '[02]' 'passed|cannot take a name' \
    "$lab" run "$dir/a\$(touch called).cu" "${small[@]}"
output=$(find . -maxdepth 1 -name called)
status=0
check 'which does not happen' 0 '^$'
try 'no compiler' 2 'clang|nvcc' \
    env PATH="$dir/none" CUDA_HOME="$dir/none" COMPILER=clang \
    "$lab" run "$good" "${small[@]}" --compiler clang
printf '%s { while (n) if (!in) *out = 1; }\n' "$head" >"$dir/endless.cu"
try 'an endless kernel' 1 'endless.cu:1' \
    "$lab" run "$dir/endless.cu" "${small[@]}" --budget 100000
if [ -c /dev/full ]; then
    output=$("$lab" run "$good" "${small[@]}" 2>&1 >/dev/full </dev/null)
    status=$?
    check 'disk full' 2 'space|write'
    output=$("$lab" run "$good" "${small[@]}" --json 2>&1 >/dev/full </dev/null)
    status=$?
    check 'disk full, JSON' 2 'space|write'
fi

printf '%s { for (size_t i = 0; i >> 40 == 0; i++) *out += in[i & 1]; }\n' \
    "$head" >"$dir/long.cu"
# Ctrl-C: one line, soon, exit status 130.  (A shell starts background jobs
# with SIGINT ignored; env puts the default back.)
output=$(timeout 60 env --default-signal=INT timeout --foreground -s INT -k 10 0.7 \
    "$lab" run "$dir/long.cu" "${small[@]}" --budget 1000000000000 2>&1 </dev/null)
status=$?
check 'Ctrl-C' 124 'stopped|interrupted|Ctrl-C'

# Ctrl-C while a compiler runs: it ends, too, and leaves no file.
mkdir "$dir/slow" "$dir/tmp"
cat >"$dir/slow/clang" <<'END'
#!/bin/sh
case "$*" in
*--version*) echo "clang version 14.0.6" ;;
*) echo "$$" >"$PID_FILE"; exec sleep 60 ;;
esac
END
chmod +x "$dir/slow/clang"
sed 's/sum/other_sum/g' "$good" >"$dir/new.cu"
PATH="$dir/slow:$PATH" TMPDIR=$dir/tmp PID_FILE=$dir/pid \
    env --default-signal=INT timeout --foreground 60 "$lab" run "$dir/new.cu" \
    "${small[@]}" --compiler clang >"$dir/said" 2>&1 </dev/null &
for _ in {1..200}; do # until the compiler is there
    if [ -s "$dir/pid" ]; then break; fi
    sleep 0.05
done
kill -INT $!
wait $!
status=$?
output=$(cat "$dir/said")
check 'Ctrl-C while compiling' 130 'stopped while compiling'
output="left: $(ls "$dir/tmp") $(kill -0 "$(cat "$dir/pid")" 2>&1)"
check 'which leaves nothing' 130 '^left:  .*No such process'

# A disk that is full in the middle, where one can be made.
mkdir "$dir/full"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=64k tmpfs "$dir/full" 2>&1; then
    sed 's/sum/third_sum/g' "$good" >"$dir/full/new.cu"
    head -c 65536 /dev/zero >"$dir/full/rest" 2>/dev/null
    try 'disk full while compiling' '[02]' 'disk is full|passed' \
        env TMPDIR="$dir/full" "$lab" run "$dir/full/new.cu" "${small[@]}"
    umount "$dir/full"
else
    skip 'disk full while compiling: no file system can be mounted'
fi

# A checkout that cannot be written, used by somebody who is not its owner.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    copy=$dir/read\ only
    mkdir -p "$copy/build/bin"
    cp -r common labs solutions grading "$copy/"
    cp build/bin/lab build/bin/grade "$copy/build/bin/"
    chmod 755 "$dir"
    chmod -R a-w,a+rX "$copy"
    try 'a read-only checkout' 0 'passed|right' \
        setpriv --reuid=65534 --clear-groups env TMPDIR=/tmp HOME=/nonexistent \
        "$copy/build/bin/lab" run v3 --from solutions "${small[@]}"
else
    skip 'a read-only checkout: needs root and setpriv'
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
