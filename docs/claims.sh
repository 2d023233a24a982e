#!/usr/bin/env bash
# `make claims`: measures every claim of docs/claims.md on the simulator and
# says whether it holds.
#
#   docs/claims.sh [ID...]     all of them; claim-padding or padding
#
# Each function below measures one claim: it prints what it saw, and its last
# line is the verdict: no, yes, or only WHERE.  The verdict is worked out from
# the numbers, never written down; the ledger's own word stands in LEDGER
# (docs/claims.md), and one that differs makes the exit status 1.  A claim that
# could not be measured makes it 2.
# shellcheck disable=SC2317,SC2086,SC2046 # functions are called by name; lists of words
set -u
here=$PWD
cd "$(dirname "$0")/.." || exit 2
root=$PWD
case ${LAB:=build/bin/lab} in /*) ;; *) LAB=$here/$LAB ;; esac
ledger=${LEDGER:-docs/claims.md}
case $ledger in docs/*) ;; /*) ;; *) ledger=$here/$ledger ;; esac
export NO_COLOR=1
[ -x "$LAB" ] || LAB=$root/build/bin/lab
[ -x "$LAB" ] || {
    echo "there is no $LAB; make claims builds it"
    exit 2
}

# ---- what the program says ------------------------------------------------------
own=docs/kernels/claims.cu
small=tests/kernels # kernels that are wrong in one way each
run() { "$LAB" run "$@" 2>&1; }
value() { run "$@" | awk '$1 == "value" { print $2 }'; }
word() { run "$@" | grep -m 1 -E '^(passed|failed|wrong|changed|stopped)'; }
found() { run "$@" | grep -c -E "^  [^ ]+:[0-9]+: $kind "; }
time_us() { # modelled
    run "$@" | awk '$1 == "time" { print $2 * ($3 == "ms" ? 1000 : $3 == "s" ? 1e6 : 1) }'
}
share() { # of the bandwidth limit, in percent
    run "$@" | sed -n 's/.* at best (\([0-9]*\) %).*/\1/p'
}
count() { # count NAME OPTIONS...: a counter, a block
    "$LAB" counters "${@:2}" | awk -v k="$1" '
        index($0, k "  ") == 1 { gsub(/,/, ""); v = $0
            sub(/ a block.*/, "", v); n = split(v, part, " "); print part[n] }'
}
solution() { echo "$1 --from solutions"; }
# calc EXPRESSION, is CONDITION: arithmetic with fractions
calc() { awk "BEGIN { printf \"%.4g\\n\", $1 }"; }
is() { awk "BEGIN { exit !($1) }"; }
# each_ns OPTIONS...: of one turn of a loop of n turns
each_ns() {
    local few many
    few=$(time_us "$own" --grid 1 --checks none --n 3200 "$@")
    many=$(time_us "$own" --grid 1 --checks none --n 6400 "$@")
    calc "($many - $few) * 1000 / 3200"
}
clock() { sed -n 's/.*\.clock_ghz = \([0-9.]*\).*/\1/p' common/watch/gpu.def | head -n 1; }
cycles() { calc "$(each_ns "$@") * $(clock)"; }

# ---- the claims --------------------------------------------------------------------
claim_commutative() {
    local swapped regrouped
    swapped=$(value $own --kernel commutes --n 5000 --data cancel)
    regrouped=$(value $own --kernel associates --n 5000 --data cancel)
    echo "a + b and b + a differ for $swapped of 4999 pairs"
    echo "(a + b) + c and a + (b + c) differ for $regrouped of 4998 triples"
    if is "$swapped > 0"; then echo yes; else echo no; fi
}
claim_atomic_hardware() {
    local one many
    one=$("$LAB" experiment atomics | awk '$1 == "2^0" { print $3; exit }')
    many=$("$LAB" experiment atomics | awk '$1 == "2^20" { print $3; exit }')
    echo "one instruction; on one word $one ns an addition, on 2^20 words $many"
    if is "$one < 10 * $many"; then echo yes; else echo no; fi
}
claim_atomic_digits() {
    local seed v least='' most='' spread
    for seed in 1 2 3 4 5; do
        v=$(value $(solution v0) --n 100003 --data ramp --order random --seed $seed)
        if [ -z "$least" ] || is "$v < $least"; then least=$v; fi
        if [ -z "$most" ] || is "$v > $most"; then most=$v; fi
    done
    spread=$(calc "($most - $least) / $most")
    echo "five orders of the blocks: $least to $most, apart by $spread"
    if is "$spread > 0.01"; then echo yes; else echo no; fi
}
claim_all_ones() {
    local ones other
    ones=$(word $small/bad_moves_one.cu --n 1000 --data ones --checks none)
    other=$(word $small/bad_moves_one.cu --n 1000 --data random --checks none)
    echo "one element in place of another: $ones with ones, $other with random"
    if [ "$ones" = passed ] && [ "$other" != passed ]; then echo no; else echo yes; fi
}
claim_barrier_cost() {
    local alone
    alone=$(cycles --kernel barriers --block 256)
    echo "256 threads that arrive together: $alone cycles, the loop included"
    if is "$alone >= 100"; then echo yes; else echo no; fi
}
claim_padding() {
    local tree tile padded
    tree=$("$LAB" counters $(solution v3) --n 2^14 --by step |
        awk '$1 ~ /^[0-9]+$/ && $5 != "1x" { bad++ } END { print bad + 0 }')
    tile=$(count 'shared load wavefronts' tests/golden/kernels/tile_columns.cu --n 2^14)
    padded=$(count 'shared load wavefronts' tests/golden/kernels/tile_padded.cu --n 2^14)
    echo "the halving loop: conflicts in $tree of its rounds"
    echo "columns of a tile: $tile wavefronts a block, padded $padded"
    if [ "$tree" != 0 ]; then echo yes; else echo no; fi
}
claim_bank_127() {
    local before here
    before=$(count 'shared load wavefronts' $own --kernel banks --n 31 --grid 1 --block 32)
    here=$(count 'shared load wavefronts' $own --kernel banks --n 32 --grid 1 --block 32)
    echo "words 31 apart: $before wavefront; 32 apart, 128 bytes: $here"
    if is "$here == 32 && $before == 1"; then echo no; else echo yes; fi
}
claim_step_gain() {
    local gpu gains=() outside=0 all=0
    for gpu in h200 t4; do
        mapfile -t gains < <("$LAB" experiment ladder --n 2^24 --gpu $gpu |
            awk '$1 ~ /^v[1-6]_/ { sub(/x$/, "", $NF); print $NF }')
        echo "$gpu: ${gains[*]} times the one before"
        for gain in "${gains[@]}"; do
            all=$((all + 1))
            if is "$gain < 1.1 || $gain > 1.5"; then outside=$((outside + 1)); fi
        done
    done
    echo "$outside of $all steps are outside of 1.1 to 1.5"
    if [ $outside = 0 ]; then echo yes; elif [ $outside = $all ]; then echo no; else
        echo 'only on some GPUs'
    fi
}
claim_unchecked_load() {
    local whole rest
    whole=$(word $small/bad_bnd_01_power_of_two.cu --n 1024)
    rest=$(word $small/bad_bnd_01_power_of_two.cu --n 1)
    echo "n = 1024: $whole; n = 1: $rest"
    if [ "$rest" = passed ]; then echo yes; elif [ "$whole" = passed ]; then
        echo 'only for multiples of the tile'
    else echo no; fi
}
claim_same_grid() {
    local sum
    sum=$(value $small/bad_bnd_11_half_the_blocks.cu --n 1024 --block 256 --grid 2 --data ones)
    echo "a kernel of one element a thread on the grid of two: $sum of 1024"
    if is "$sum == 1024"; then echo yes; else echo no; fi
}
claim_barrier_count() {
    local tree unrolled
    tree=$(calc "$(count barriers $(solution v3) --n 512) / 8")
    unrolled=$(calc "$(count barriers $(solution v5) --n 512) / 8")
    echo "a warp of v3 passes $tree, of v5 $unrolled (block 256)"
    if is "$tree == 8 && $unrolled == 5"; then echo yes; else echo no; fi
}
claim_volatile() {
    local kind=race races right
    races=$(found $small/bad_syn_04_volatile_tail.cu --n 1000)
    right=$(found $(solution v5) --n 1000)
    echo "volatile alone: races at $races places; with __syncwarp(): $right"
    if [ "$races" = 0 ]; then echo yes; elif [ "$right" = 0 ]; then
        echo 'only before Volta'
    else echo no; fi
}
claim_small_block() {
    local half one part
    half=$(word $small/bad_bnd_22_small_block.cu --n 1000 --block 32)
    one=$(word $small/bad_bnd_22_small_block.cu --n 1000 --block 64)
    part=$(value $small/bad_partial_last_warp.cu --n 180 --block 180 --data ones)
    echo "block 32: $half; block 64: $one; block 180: $part of 180 ones"
    if [ "$half" = passed ] && is "$part == 180"; then echo yes; else echo no; fi
}
claim_int_truncation() {
    local whole parts
    whole=$(word $small/bad_int_truncation.cu --n 1000 --data ones)
    parts=$(word $small/bad_int_truncation.cu --n 1000 --data random)
    echo "ones: $whole; numbers with fractions: $parts"
    if [ "$parts" = passed ]; then echo yes; elif [ "$whole" = passed ]; then
        echo 'only for whole numbers'
    else echo no; fi
}
claim_shuffle_latency() {
    local shuffle load
    shuffle=$(cycles --kernel shuffles --block 32)
    load=$(cycles --kernel loads --block 32)
    echo "shuffle and addition: $shuffle cycles; a load from shared memory: $load"
    if is "$shuffle < $load / 4"; then echo yes; else echo no; fi
}
claim_unsigned_stride() {
    local below near
    below=$(value $small/bad_ovf_01_index_wraps.cu --n 32700 --block 32 --grid 1 --data ones)
    near=$(word $small/bad_ovf_01_index_wraps.cu --n 32760 --block 32 --grid 1 --budget 10000)
    echo "an index of 16 bits: n = 32700 gives $below, n = 32760: $near"
    if [ "$near" = passed ]; then echo yes; elif is "$below == 32700"; then
        echo 'only below 2^32 minus the stride'
    else echo no; fi
}
claim_bandwidth_limit() {
    local plain wide
    plain=$(share $(solution v6) --n 2^25 --checks none)
    wide=$(share $(solution x1) --n 2^25 --checks none)
    echo "2^25 floats: v6 reaches $plain % of the limit, x1 $wide % (modelled)"
    if is "$wide <= 80"; then echo yes; else echo no; fi
}
claim_cas_argmax() {
    local worked failed
    worked=$(word $own --kernel while_worked --operator argmax --n 1000 --grid 1)
    failed=$(word $own --kernel while_failed --operator argmax --n 1000 --grid 1)
    echo "goes on while it worked: $worked; while it failed: $failed"
    if [ "$worked" = passed ]; then echo yes; elif [ "$failed" = passed ]; then
        echo no
    else echo 'it could not be measured'; fi
}
claim_timing_loop() {
    local kept
    kept=$(word $small/bad_zer_03_total_is_kept.cu --n 1000)
    echo "a total that is kept from launch to launch: $kept"
    if [ "$kept" = passed ]; then echo yes; else echo no; fi
}
# The experiments: each gives a table with rows.
experiment() {
    local rows
    rows=$("$LAB" experiment "$1" "${@:2}" | grep -c -E '^ *[a-z0-9_^]+ .*[0-9]')
    echo "$rows rows: lab experiment $1"
    if is "$rows >= 4"; then echo yes; else echo no; fi
}
claim_experiment_ladder() { experiment ladder; }
claim_experiment_crossover() { experiment crossover; }
claim_experiment_block_size() { experiment block-size; }
claim_experiment_steps() { experiment steps; }
claim_experiment_accuracy() { experiment accuracy; }
claim_experiment_atomics() { experiment atomics; }

# ---- the ledger against the numbers --------------------------------------------------
says() { # says ID: the ledger's word
    awk -F'|' -v id="[$1](" 'index($2, id) {
        gsub(/^ +| +$/, "", $4); print (NF > 6 ? $4 : "yes") }' "$ledger"
}
in_words() {
    case $1 in
    no) echo 'does not hold' ;;
    yes) echo holds ;;
    only*) echo "holds $1" ;;
    *) echo "could not be measured" ;;
    esac
}
one() { # one ID
    local id=$1 output verdict expected
    output=$("claim_$(tr - _ <<<"${id#claim-}")" 2>&1)
    verdict=$(tail -n 1 <<<"$output")
    expected=$(says "$id")
    printf '%-30s %s\n' "$id" "$(in_words "$verdict")"
    sed '$d; s/^/    /' <<<"$output"
    case $verdict in no | yes | only*) ;; *) return 2 ;; esac
    [ "$verdict" = "$expected" ] && return
    echo "    the book says: $(in_words "${expected:-nothing}")"
    return 1
}
ids=("$@")
if [ $# = 0 ]; then
    mapfile -t ids < <(grep -oE '^\| \[claim-[a-z0-9-]+' "$ledger" | sed 's/^| \[//')
fi
status=0
for id in "${ids[@]}"; do
    id=claim-${id#claim-}
    if ! declare -F "claim_$(tr - _ <<<"${id#claim-}")" >/dev/null; then
        echo "there is no claim '$id'; docs/claims.md lists them"
        exit 2
    fi
    one "$id"
    now=$?
    if [ $now -gt $status ]; then status=$now; fi
done
exit $status
