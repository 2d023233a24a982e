#!/bin/sh
# labs_match.sh: labs/ and solutions/ hold the labs, and a lab equals its solution outside its TODO regions.
#
# usage: labs_match.sh [ROOT]    ROOT is the repository, by default two folders above this script
# exit:  0 all match, 1 a difference (told on stderr), 2 could not look
#
# A region opens with a line "// TODO: what to do" and closes with a line "// END TODO"; both lines belong to both files.

stages="v0_atomic v1_interleaved v2_strided v3_sequential v4_first_add v5_unroll_last_warp v6_gridstride_shuffle
x1_vectorized x2_last_block"
root=${1:-$(dirname "$0")/../..}
failed=0

cd "$root" || exit 2
scratch=$(mktemp -d) || exit 2
trap 'rm -rf "$scratch"' EXIT

complain() {
    echo "labs_match: $*" >&2
    failed=1
}

# folder_holds FOLDER NAME...: FOLDER has these entries and no other.
folder_holds() {
    folder=$1
    shift
    printf '%s\n' "$@" | sort >"$scratch/wanted"
    ls -A "$folder" 2>/dev/null | sort >"$scratch/found"
    for name in $(comm -23 "$scratch/wanted" "$scratch/found"); do
        complain "$folder/$name is missing"
    done
    for name in $(comm -13 "$scratch/wanted" "$scratch/found"); do
        complain "$folder/$name should not be there"
    done
}

# outside FILE: the file without what is in its regions; fails with a reason on stdout when the markers do not pair up.
outside() {
    awk '
        /^[ \t]*\/\/ END TODO[ \t]*$/ {
            if (!open) { printf "%d: END TODO without a TODO\n", NR; bad = 1; exit 1 }
            open = 0
        }
        !open { print }
        /^[ \t]*\/\/ TODO/ {
            if (open) { printf "%d: TODO inside the TODO of line %d\n", NR, open; bad = 1; exit 1 }
            open = NR; regions++
        }
        END {
            if (bad) exit 1
            if (open) { printf "%d: TODO without an END TODO\n", open; exit 1 }
            if (!regions) { printf "1: no TODO region\n"; exit 1 }
        }
    ' "$1"
}

folder_holds labs $stages
folder_holds solutions $stages

for stage in $stages; do
    lab=labs/$stage/kernel.cu
    solution=solutions/$stage/kernel.cu
    folder_holds "labs/$stage" README.md kernel.cu
    folder_holds "solutions/$stage" kernel.cu
    [ -r "$lab" ] && [ -r "$solution" ] || continue

    if ! outside "$lab" >"$scratch/lab"; then
        complain "$lab:$(tail -n 1 "$scratch/lab")"
    elif ! outside "$solution" >"$scratch/solution"; then
        complain "$solution:$(tail -n 1 "$scratch/solution")"
    elif ! diff "$scratch/lab" "$scratch/solution" >"$scratch/diff"; then
        complain "$lab and $solution differ outside the TODO regions (< lab, > solution):"
        cat "$scratch/diff" >&2
    elif cmp -s "$lab" "$solution"; then
        complain "$lab is the solution: nothing is left to do"
    fi
done

exit $failed
