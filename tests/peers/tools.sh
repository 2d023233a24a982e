#!/usr/bin/env bash
# make sanitize LAB=, make profile LAB=: NVIDIA's tools on one launch of a
# kernel, and the simulator's answer below.
#   tests/peers/tools.sh sanitize|profile LAB [FROM]   FROM: labs, solutions
set -u
cd "$(dirname "$0")/../.." || exit 2
what=$1
from=${3:-labs}
file=$2
if [[ $file != *.cu ]]; then
    files=("$from/$2"*/kernel.cu)
    file=${files[0]}
fi
if [ ! -f "$file" ]; then
    echo "no kernel for LAB=$2" >&2
    exit 2
fi
for tool in nvcc "$([ "$what" = profile ] && echo ncu || echo compute-sanitizer)"; do
    if ! command -v "$tool" >/dev/null; then
        echo "$tool is not here; the simulator's answer alone:"
        build/bin/lab run "$file" --device sim
        exit
    fi
done
mkdir -p build/peers
ptx=build/peers/tools.ptx
nvcc -ptx -lineinfo -arch=sm_80 -o "$ptx" "$file" || exit 1
# Items a thread, as the table of stages has them.
case $file in
*/v[45]_*) block=256 items=2 ;;
*/x[12]_*) block=512 items=16 ;;
*) block=256 items=1 ;;
esac
grid() { echo $((($1 + block * items - 1) / (block * items))); }

if [ "$what" = sanitize ]; then
    n=10007
    for tool in memcheck racecheck synccheck initcheck; do
        echo "== $tool"
        timeout 60 compute-sanitizer --tool $tool build/bin/gpu_launch "$ptx" \
            n=$n block=$block "grid=$(grid $n)" 2>&1 | sed 's/^=* //' | head -n 20
    done
    echo "== the simulator"
    build/bin/lab run "$file" --device sim --n $n --block $block \
        --grid "$(grid $n)" --checks all
    exit
fi
n=$((1 << 20))
metrics=smsp__inst_executed.sum,smsp__thread_inst_executed.sum
metrics+=,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
metrics+=,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
metrics+=,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
metrics+=,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
metrics+=,smsp__inst_executed_op_global_red.sum
metrics+=,dram__bytes_read.sum,gpu__time_duration.sum
echo "== ncu"
ncu --clock-control none --metrics $metrics build/bin/gpu_launch "$ptx" n=$n \
    block=$block "grid=$(grid $n)" 2>&1 | grep -E '__|error|ERR' | sed 's/^ *//'
echo "== the simulator"
build/bin/lab counters "$file" --device sim --n $n --block $block \
    --grid "$(grid $n)" 2>/dev/null ||
    build/bin/lab run "$file" --device sim --n $n --block $block \
        --grid "$(grid $n)"
