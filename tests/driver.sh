#!/usr/bin/env bash
# What the cuda device says and does when something is wrong with the driver
# or the GPU, and the speed rule measured on a GPU, with a driver that is not
# one (tests/fake/libcuda.c).  Ends with `N passed, M failed, K skipped`.
#   tests/driver.sh [BIN]
set -u
cd "$(dirname "$0")/.." || exit 2
bin=${1:-build/bin}
work=build/fake
passed=0
failed=0
mkdir -p "$work/all" "$work/older" "$work/kernels"
for which in all: older:-DWITHOUT_GRAPHS; do
    # shellcheck disable=SC2086 # no word is no argument
    "${CC:-cc}" -shared -fPIC -O3 -Icommon ${which#*:} \
        -o "$work/${which%%:*}/libcuda.so.1" tests/fake/libcuda.c || exit 2
done

# try STATUS PATTERN COMMAND...: its exit status, and what it says as one line
try() {
    local status want=$1 pattern=$2 output
    shift 2
    output=$("$@" 2>&1)
    status=$?
    if [ $status = "$want" ] && tr -s ' \n' ' ' <<<"$output" | grep -qE "$pattern"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAKE_CUDA=%s %s: exit status %s, want %s and: %s\n%s\n' \
            "${FAKE_CUDA-}" "$*" $status "$want" "$pattern" \
            "$(head -n 8 <<<"$output")"
    fi
}
run=("$bin/lab" run v3 --from solutions --n 1000)

# ---- no way to a GPU: asked for, a line; not asked for, the simulator ---------
while IFS='|' read -r what pattern; do
    library=all
    if [ "$what" = older ]; then library=older; fi
    export FAKE_CUDA=$what LD_LIBRARY_PATH=$work/$library
    if [ "$what" = missing ]; then LD_LIBRARY_PATH=$work/nothing; fi
    try 2 "^(lab: )?$pattern" "${run[@]}" --device cuda
    try 0 'device simulator.*passed' "${run[@]}"
done <<'END'
missing|no NVIDIA driver on this machine \(libcuda.so.1 cannot be opened\) ?$
old|the NVIDIA driver is too old: it knows CUDA 11.4, 12.0 is the least ?$
older|the NVIDIA driver is too old: it has no cuStreamBeginCapture_v2 ?$
no-device|the NVIDIA driver is here, but it finds no GPU ?$
none|the NVIDIA driver is here, but it finds no GPU ?$
mismatch|libcuda.so.1 and the kernel's NVIDIA module are of different versions
broken|the NVIDIA driver does not start: .*fake error 999
busy|the GPU is busy: another process has it for itself
full|the GPU has no memory left for another process
END
export LD_LIBRARY_PATH=$work/all

# ---- a GPU that fails later ------------------------------------------------------
FAKE_CUDA='' try 0 'device Fake GPU.*passed' "${run[@]}"
FAKE_CUDA=newer-ptx try 2 'PTX [0-9.]+, which this driver is too old for' \
    "${run[@]}" --device cuda
FAKE_CUDA=newer-gpu try 2 'PTX for sm_[0-9]+; this GPU is sm_80' \
    "${run[@]}" --device cuda
FAKE_CUDA=bad-ptx try 2 'does not take .*fake driver does not like it' \
    "${run[@]}" --device cuda
FAKE_CUDA=little try 2 "out of memory on the GPU: 'in' needs 0.0 GB" \
    "$bin/lab" run v3 --from solutions --n 1000000 --device cuda
FAKE_CUDA=registers try 2 'block 256: the kernel needs more registers' \
    "${run[@]}" --device cuda
# An error that stays: the simulator finds the line.
FAKE_CUDA=fault try 1 'GPU stopped: fake error 700.* bad_bnd_15_off_by_one.cu:[0-9]+: out-of' \
    "$bin/lab" run tests/kernels/bad_bnd_15_off_by_one.cu --device cuda --n 1000
FAKE_CUDA=fault try 1 'the simulator ran the same launch and found nothing' \
    "${run[@]}" --device cuda

# ---- the demo: stand-alone and queued runs, the empty kernel ---------------------
FAKE_CUDA='' try 0 'the page' \
    "$bin/lab" report --device cuda --n 2^12 --out "$work/page.html"
try 0 '"copy_gbps": ?[0-9].*"measured"' cat "$work/page.html"
FAKE_CUDA='' try 0 'An empty kernel shows 0\.0000 ms.* queued .*x2 [^\n]*' \
    "$bin/lab" demo --device cuda --n 2^14

# ---- the grader's speed rule ------------------------------------------------------
# The student's kernel is the solution with a comment for the fake driver.
student() { # student FOLDER FACTOR
    mkdir -p "$work/kernels/$1/v3_sequential"
    sed "s|^extern \"C\" __global__.*|&|; s|^{|{\n    asm volatile(\"// fake: slow $2\");|" \
        solutions/v3_sequential/kernel.cu >"$work/kernels/$1/v3_sequential/kernel.cu"
}
fast() { # fast FOLDER: only the suite that times
    "$bin/grade" --from "$work/kernels/$1" --device cuda --suites fast v3
}
export FAKE_CUDA=''
student slow 1.4
student near 1.12
student beyond 1.19
student quick 0.05
try 1 'measured on this GPU.* 1\.40 times \(1\.40 to 1\.40 in 3 rounds\); at most 1\.15' fast slow
try 1 'more than the memory can deliver' fast quick
# Noise changes no verdict, on whichever machine.
for seed in 1 2; do
    FAKE_NOISE=12 FAKE_SEED=$seed try 0 'v3_sequential 15 / 15 passed' fast near
    FAKE_NOISE=12 FAKE_SEED=$seed try 1 'at most 1\.15' fast beyond
done

# ---- the references are those of the solutions ---------------------------------
skipped=0
"$bin/reference_ptx" "$work/reference" || failed=$((failed + 1))
for file in grading/reference/*.ptx; do
    new=$work/reference/${file##*/}
    if [ ! -f "$new" ] || [ "$(head -n 1 "$new")" != "$(head -n 1 "$file")" ]; then
        skipped=$((skipped + 1))
        echo "skipped: $file is of a compiler that is not here"
    elif cmp -s "$new" "$file"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$file is not what the solution is now: make figures"
    fi
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
