#!/usr/bin/env bash
# make bench DEVICE=cuda: the solutions beside CUB, Thrust, cuBLAS and torch,
# as CSV, interleaved in one process (torch: in one of its own).
#   tests/peers/bench.sh [FROM [TO]]    powers of two, 10 to 30
# Needs a GPU and nvcc with the CUDA Toolkit's headers.
set -eu
cd "$(dirname "$0")/../.."
from=${1:-10}
to=${2:-30}
work=build/peers
mkdir -p "$work"
command -v nvcc >/dev/null || {
    echo 'make bench DEVICE=cuda needs nvcc' >&2
    exit 2
}
nvcc -O3 -std=c++17 -arch=native -o "$work/peers" tests/peers/peers.cu \
    -lcublas -lcuda
kernels=()
# Name, folder, block, elements a thread, blocks an SM, is *out zeroed first.
while read -r name folder block items blocks zero; do
    nvcc -ptx -arch=sm_80 -o "$work/$name.ptx" "solutions/$folder/kernel.cu"
    kernels+=("$name,$work/$name.ptx,$block,$items,$blocks,$zero")
done <<'END'
v6 v6_gridstride_shuffle 256 1 8 1
x1 x1_vectorized 512 16 4 1
x2 x2_last_block 512 16 4 0
END
"$work/peers" --from "$from" --to "$to" "${kernels[@]}"
if python3 -c 'import torch' 2>/dev/null; then
    python3 tests/peers/torch_sum.py "$from" "$to"
fi
