#!/usr/bin/env bash
# The blocks of the pages in docs/ that come from commands: outputs, code,
# tables, numbers.  tests/book/blocks.awk says how a page names them.
#
#   tests/book.sh check [BIN]      is every block what its command says now?
#   tests/book.sh refresh [BIN]    write the blocks again
#
# BIN is the folder with `lab` (build/bin).  Commands run in a copy of the
# checkout made of links, with labs/ as shipped, so that nothing depends on a
# student's kernels.  Blocks that depend on the PTX of nvcc 13 are skipped
# without it.  Ends with `N passed, M failed, K skipped`.
set -u
cd "$(dirname "$0")/.." || exit 2
read -r -a pages <<<"${PAGES:-$(echo docs/*.md)}" # PAGES: only these
action=${1:-check}
bin=${2:-build/bin}
[ -x "$bin/lab" ] || {
    echo "there is no $bin/lab: make"
    exit 2
}
bin=$(cd "$bin" && pwd)
work=${WORK:-$(dirname "$bin")/docs}
mkdir -p "$work/kit/labs" || exit 2
home=$(cd "$work/kit" && pwd)
work=$(mktemp -d "$work/run.XXXXXX") || exit 2
work=$(cd "$work" && pwd)
trap 'rm -rf "$work"' EXIT
mkdir "$work/out" "$work/pages"

make_home() { # a checkout of links, with labs/ as shipped
    local entry stage
    for entry in *; do
        case $entry in
        labs | build) ;;
        *) ln -sfn "$PWD/$entry" "$home/$entry" ;;
        esac
    done
    for stage in labs/*/; do
        stage=$(basename "$stage")
        mkdir -p "$home/labs/$stage"
        cmp -s "grading/skeletons/$stage.cu" "$home/labs/$stage/kernel.cu" ||
            cp "grading/skeletons/$stage.cu" "$home/labs/$stage/kernel.cu"
        ln -sf "$PWD/labs/$stage/README.md" "$home/labs/$stage/README.md"
    done
}

has_nvcc_13() {
    "$bin/lab" doctor 2>/dev/null | grep -q '^  nvcc  *nvcc 13\.'
}

# One command; its output goes to out/NUMBER.  An exit status of 2 or more
# says that it could not run.
run_one() { # NUMBER KIND COMMAND
    local status
    (
        set -o pipefail
        case $2 in
        *-nvcc) export COMPILER=nvcc ;;
        *) export COMPILER=clang ;;
        esac
        case $2 in
        run*) eval "${3/ | /" 2>&1 | "}" 2>&1 | normal ;;
        *) eval "$3" | normal ;;
        esac
    ) >"$work/out/$1.new" 2>"$work/out/$1.err" </dev/null
    status=$?
    if [ $status -ge 2 ]; then
        echo "could not run (status $status): $3"
        cat "$work/out/$1.err" "$work/out/$1.new"
    else
        mv "$work/out/$1.new" "$work/out/$1"
    fi
}

run_share() { # PART OF: every OF-th job
    local number kind command
    # shellcheck source=tests/book/facts.sh
    . tests/book/facts.sh
    cd "$home" || exit 2
    export LAB_HOME=$home PATH=$bin:$PATH NO_COLOR=1 LC_ALL=C
    while IFS=$'\t' read -r number kind command; do
        if [ $((number % $2)) = "$1" ]; then
            run_one "$number" "$kind" "$command"
        fi
    done <"$work/jobs"
}

skipped=0
make_home
awk -v mode=list -f tests/book/blocks.awk "${pages[@]}" >"$work/list" || exit 1
if ! has_nvcc_13; then
    skipped=$(grep -c '^[a-z]*-nvcc' "$work/list")
    [ "$skipped" = 0 ] ||
        echo "skipped: $skipped blocks of docs/ show what nvcc 13's PTX does"
    grep -v '^[a-z]*-nvcc' "$work/list" >"$work/list.new"
    mv "$work/list.new" "$work/list"
fi
awk '{ print NR "\t" $0 }' "$work/list" >"$work/jobs"

shares=$(nproc 2>/dev/null || echo 2)
for ((share = 0; share < shares; share++)); do
    run_share "$share" "$shares" >"$work/out/told.$share" 2>&1 &
done
wait
cat "$work"/out/told.*
failed=$(cat "$work"/out/told.* | grep -c '^could not run')
passed=$(($(wc -l <"$work/jobs") - failed))

for page in "${pages[@]}"; do
    fresh=$work/pages/$(basename "$page")
    awk -v mode=fill -v jobs="$work/jobs" -v out="$work/out" \
        -f tests/book/blocks.awk "$page" >"$fresh" || failed=$((failed + 1))
    cmp -s "$page" "$fresh" && continue
    if [ "$action" = refresh ]; then
        cat "$fresh" >"$page"
        echo "$page: written again"
        continue
    fi
    failed=$((failed + 1))
    echo "$page is not what its commands print now: make docs"
    diff "$page" "$fresh" | head -n 12
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
