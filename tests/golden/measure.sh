#!/usr/bin/env bash
# Measures the golden figures again, on a machine with a GPU, nvcc and ncu:
#
#   tests/golden/measure.sh FOLDER      about four minutes on an H200
#   cp FOLDER/counters.csv FOLDER/times.csv tests/golden/
#   cp FOLDER/ptx/* tests/golden/ptx/
#
#   counters.csv  what Nsight Compute counts for the seven solutions and for
#                 the kernels beside this file
#   times.csv     how long the seven take, over n and the block, and the
#                 others where they were counted (the middle of three)
#   opcodes.raw.csv  how often each machine instruction ran (warp instructions)
#   ptx/          the kernels as they were compiled, without line numbers
#
# The PTX is compiled as the lab does and then by the driver, as on a
# student's machine.  Clocks are left alone; ncu empties the caches before
# each launch.  PARTS="counters times opcodes" chooses, and ONLY is a pattern
# for lines of the plan: NAME FILE N BLOCK GRID SHARED REPEATS.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
out=${1:?usage: measure.sh FOLDER}
work=$out/work
mkdir -p "$work" "$out/ptx"
sms=${SMS:-132}

# Metrics that every recent ncu has, then those it may not know.
metrics="smsp__inst_executed.sum smsp__thread_inst_executed.sum
smsp__thread_inst_executed_per_inst_executed.ratio
smsp__thread_inst_executed_pred_on_per_inst_executed.ratio
smsp__sass_branch_targets_threads_divergent.sum
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
smsp__inst_executed_op_global_red.sum dram__bytes_read.sum
gpu__time_duration.sum launch__registers_per_thread"
more="smsp__inst_executed_op_branch.sum smsp__sass_branch_targets.sum
smsp__sass_branch_targets_threads_uniform.sum
smsp__inst_executed_op_shared_ld.sum smsp__inst_executed_op_shared_st.sum
smsp__inst_executed_op_shared_atom.sum
smsp__inst_executed_op_shared_atom_dot_alu.sum
smsp__inst_executed_op_shared_atom_dot_cas.sum
smsp__inst_executed_op_global_ld.sum smsp__inst_executed_op_global_st.sum
smsp__inst_executed_op_global_atom.sum smsp__inst_executed_op_local_ld.sum
smsp__inst_executed_op_local_st.sum smsp__inst_executed_op_shared.sum
l1tex__data_pipe_lsu_wavefronts_mem_shared.sum
l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum
l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum
l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
l1tex__t_requests_pipe_lsu_mem_global_op_red.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum
l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum
l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum
l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum
l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum
l1tex__t_requests_pipe_lsu_mem_local_op_st.sum
l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum
smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum
smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum
smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum
smsp__sass_l1tex_data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum
smsp__sass_thread_inst_executed_pred_on.sum
smsp__thread_inst_executed_pred_on.sum dram__bytes_write.sum
lts__t_sectors_op_red.sum lts__t_requests_srcunit_tex_op_red.sum
lts__t_sectors_op_atom.sum sm__cycles_elapsed.max
smsp__inst_executed_pipe_uniform.sum"
clock="gpu__time_duration.sum sm__cycles_elapsed.max"

compile() { # every kernel of the plans to PTX, as the lab does
    local source name
    for source in "$root"/solutions/*/kernel.cu "$here"/kernels/*.cu; do
        name=$(basename "$source" .cu)
        [ "$name" = kernel ] && name=$(basename "$(dirname "$source")")
        grep -q "^$name " "$work"/*.plan || continue
        nvcc -ptx -O3 -lineinfo --expt-relaxed-constexpr -arch sm_80 -x cu \
            "$source" -o "$work/$name.ptx" &&
            nvcc -ptx -O3 --expt-relaxed-constexpr -arch sm_80 -x cu \
                "$source" -o "$out/ptx/$name.ptx" || exit 2
    done
}

ceil() { echo $((($1 + $2 - 1) / $2)); }
least() { echo $(($1 < $2 ? $1 : $2)); }
solution_grid() { # solution_grid NAME N BLOCK, as the table of stages says
    local fill
    case $1 in
    v4* | v5*) ceil "$2" $((2 * $3)) ;;
    v6*)
        fill=$((2048 / $3))
        least $((sms * $(least $fill 32))) "$(ceil "$2" "$3")"
        ;;
    x*)
        fill=$((2048 / $3))
        least $((sms * $(least $fill 32))) "$(ceil "$2" $((16 * $3)))"
        ;;
    *) ceil "$2" "$3" ;;
    esac
}
blocks_an_sm() { # blocks_an_sm NAME BLOCK, of loops over the whole grid
    case $1-$2 in
    norm_unroll8-1024 | argmin_pairs-1024) echo 2 ;;
    private_histogram-512 | welford-384) echo 3 ;;
    sign_split-192) echo 5 ;;
    exp_chain-256 | sign_split-256 | matrix_columns-64 | argmin_pairs-128 | \
        chunk_a_thread-64 | private_histogram-128)
        echo 8
        ;;
    window_energy-128) echo 16 ;;
    *) echo 4 ;;
    esac
}
kernel_grid() { # kernel_grid NAME N BLOCK
    case $1 in
    column_sums) ceil "$2" $((16 * $3)) ;;
    tile_* | transpose_ways) ceil "$2" 1024 ;;
    double_tree | uneven_work | segments_16) ceil "$2" "$3" ;;
    hillis_steele | stencil_three | saxpy | warp_trees | tiles_of_8 | \
        reversed_copy | convolution_17 | sorted_tiles | \
        scattered_stores | long_and_short)
        ceil "$2" "$3"
        ;;
    halves_added) ceil $(($2 / 8)) "$3" ;;
    running_average) ceil "$2" $((32 * $3)) ;;
    two_shared_buffers) ceil "$2" $((8 * $3)) ;;
    stats_of_rows) ceil $(($2 / 64)) "$3" ;;
    soft_threshold) echo $((4 * sms)) ;;
    columns_of_512) echo "$sms" ;;
    padded_scan | smallest_largest) ceil "$2" $((2 * $3)) ;;
    template_tree) ceil "$2" $((4 * $3)) ;;
    early_float4) echo $((2 * $(ceil "$2" $((8 * $3))))) ;; # half too many
    matrix_vector) ceil "$2" $((64 * $3)) ;;
    cas_max) echo 24 ;;
    shared_float4 | backward_padded | dot_halves | min_ldg_tree)
        ceil "$2" $((4 * $3))
        ;;
    atomic_spread | fixed_point_tree) ceil "$2" $((2 * $3)) ;;
    strided_ways | warp_prefix) ceil "$2" "$3" ;;
    argmin_pairs | chunk_a_thread | exp_chain | matrix_columns | \
        norm_unroll8 | private_histogram | sign_split | welford | \
        window_energy)
        echo $(($(blocks_an_sm "$1" "$3") * sms))
        ;;
    *) echo $((2 * sms)) ;;
    esac
}

# Kernels that came when all constants and rules stood: other sizes, too.
sizes() { # sizes NAME: n and blocks of a kernel beside this file
    case $1 in
    count_above | dot_double | kahan_sum | packed_argmax | pairs_of_two | \
        rows_of_96 | segments_16 | whole_numbers)
        echo '300007 2000003:96 192 640'
        ;;
    # As unlike those and each other as could be thought of, later still.
    bins_16 | hillis_steele | local_buckets | transpose_ways)
        echo '100003 700001:64 320'
        ;;
    four_arms | modulo_tree | variance_double)
        echo '100003 700001:160 1024'
        ;;
    early_float4 | hash_gather | lengths_of_pairs | matrix_vector | tiles_of_8)
        echo '700001 5000011:64 320'
        ;;
    cas_max | float4_stores | kept_by_votes | max_of_ints | pointer_chase | \
        saxpy | steps_2_8_32 | stencil_three)
        echo '100003 5000011:160 1024'
        ;;
    padded_scan | template_tree) echo '100003 5000011:64 512' ;;
    warp_trees) echo '100003 700001:32 64' ;;
    # Predicted by the time model before they were measured.
    softmax_rows | histogram_4096 | smallest_largest | step_seven | \
        reversed_copy | polynomial | xorshift_rounds | double_roots | \
        convolution_17 | halves_added | sorted_tiles | running_average)
        echo '200000 3000000:128 512'
        ;;
    soft_threshold | tickets_by_warp | table_lookup | columns_of_512 | \
        newton_roots | neighbours_differ | scattered_stores | \
        two_shared_buffers | stats_of_rows | long_and_short)
        echo '250000 2500000:64 256'
        ;;
    # A fourth time: nobody had seen them when they were predicted.
    atomic_spread | strided_ways) echo '200003 1500007:128 512' ;;
    chunk_a_thread) echo '200003 1500007:64 256' ;;
    fixed_point_tree) echo '200003 1500007:256 512' ;;
    welford) echo '200003 1500007:256 384' ;;
    backward_padded) echo '200003 6000001:64 256' ;;
    dot_halves) echo '200003 6000001:128 1024' ;;
    min_ldg_tree) echo '200003 6000001:128 512' ;;
    warp_prefix) echo '200003 6000001:64 1024' ;;
    argmin_pairs) echo '1500007 6000001:128 1024' ;;
    exp_chain) echo '1500007 6000001:128 256' ;;
    matrix_columns) echo '1500007 6000001:64 512' ;;
    norm_unroll8) echo '1500007 6000001:192 1024' ;;
    private_histogram) echo '1500007 6000001:128 512' ;;
    sign_split) echo '1500007 6000001:192 256' ;;
    window_energy) echo '1500007 6000001:128 384' ;;
    *) echo '262221 1048576:128 256' ;;
    esac
}

plan_counters() {
    local name n block shared
    for name in $(cd "$root/solutions" && echo *); do
        for n in 1048576 4194304 16777216; do
            for block in 128 256 512; do
                shared=$((4 * block))
                [[ $name = x* ]] && shared=0
                echo "$name $work/$name.ptx $n $block" \
                    "$(solution_grid "$name" $n $block) $shared 1"
            done
        done
    done
    for name in $(cd "$here/kernels" && echo *.cu); do
        name=${name%.cu}
        for n in $(sizes "$name" | cut -d: -f1); do
            for block in $(sizes "$name" | cut -d: -f2); do
                echo "$name $work/$name.ptx $n $block" \
                    "$(kernel_grid "$name" "$n" "$block") 0 1"
            done
        done
    done
}

plan_times() {
    local name power block
    for power in $(seq 16 26); do
        for name in $(cd "$root/solutions" && echo v*); do
            for block in 64 128 256 512 1024; do
                echo "$name $work/$name.ptx $((1 << power)) $block" \
                    "$(solution_grid "$name" $((1 << power)) $block)" \
                    "$((4 * block)) 3"
            done
        done
    done
    plan_counters | grep -v '^v[0-9]_' | sed 's/1$/3/' # the others
}

# Names that this ncu knows.
known() {
    local m
    for m in "$@"; do
        case $m in launch__*) echo "$m" && continue ;; esac
        grep -q "^${m%%.*} " "$work/known" && echo "$m"
    done
}

profile() { # profile NAME METRICS...: FOLDER/NAME.raw.csv
    local name=$1 list
    shift
    list=$(printf '%s,' "$@")
    ncu --clock-control none --csv --page raw --print-units base \
        --print-metric-instances values --metrics "${list%,}" \
        --log-file "$out/$name.raw.csv" "$work/measure" \
        <"$work/$name.plan" >"$out/$name.values" || exit 2
}

# Joins the plan with what ncu wrote: its rows come in the order of launches.
table() { # table NAME METRICS...: FOLDER/NAME.csv
    local name=$1
    shift
    awk -v plan="$work/$name.plan" -v wanted="$*" '
    function cells(line) {
        sub(/^"/, "", line); sub(/"\r?$/, "", line)
        return split(line, cell, /","/)
    }
    BEGIN {
        while ((getline line < plan) > 0) {
            split(line, p, " ")
            for (k = 0; k < p[7]; k++)
                label[++launches] = p[1] "," p[3] "," p[4] "," p[5]
        }
    }
    /^"ID"/ {
        count = cells($0)
        printf "kernel,n,block,grid"
        for (k = 1; k <= count; k++)
            if (index(" " wanted " ", " " cell[k] " ")) {
                printf ",%s", cell[k]
                kept[k] = 1
            }
        print ""
        next
    }
    /^"[0-9]+"/ {
        cells($0)
        printf "%s", label[++row]
        for (k = 1; k <= count; k++)
            if (kept[k]) {
                gsub(/,/, "", cell[k])
                sub(/ .*/, "", cell[k])
                printf ",%s", cell[k]
            }
        print ""
    }' "$out/$name.raw.csv" >"$out/$name.csv"
}

# The middle one of three launches, by time.
middle() {
    awk -F, 'NR == 1 {
        print
        for (k = 1; k <= NF; k++)
            if ($k ~ /^gpu__time/) column = k
        next
    }
    {
        key = $1 FS $2 FS $3
        if (key != last) { count = 0; last = key }
        time[++count] = $column; line[count] = $0
        if (count == 3)
            for (a = 1; a <= 3; a++) {
                below = 0
                for (b = 1; b <= 3; b++)
                    below += time[b] < time[a] || (time[b] == time[a] && b < a)
                if (below == 1) print line[a]
            }
    }' "$1" >"$1.new" && mv "$1.new" "$1"
}

cc -O2 -o "$work/measure" "$here/measure.c" -ldl -lm || exit 2
ncu --query-metrics >"$work/known" 2>/dev/null
plan_counters | grep -E "${ONLY:-.}" >"$work/counters.plan"
plan_times | grep -E "${ONLY:-.}" >"$work/times.plan"
compile
for part in ${PARTS:-counters times opcodes}; do
    case $part in
    counters)
        cp "$work/counters.plan" "$work/basic.plan"
        # shellcheck disable=SC2086
        profile basic $metrics && table basic $metrics
        # shellcheck disable=SC2086,SC2046
        profile counters $metrics $(known $more) &&
            table counters $metrics $more
        ;;
    times)
        # shellcheck disable=SC2086
        profile times $clock && table times $clock &&
            middle "$out/times.csv"
        ;;
    opcodes)
        grep -v ' 16777216 \| 4194304 ' "$work/counters.plan" \
            >"$work/opcodes.plan"
        profile opcodes sass__inst_executed_per_opcode
        ;;
    esac
done
