#!/usr/bin/env bash
# Layers: a file includes its own folder and those to its left, nothing else.
#
#   base <- ptx <- sim <- watch <- device <- lab <- grading, tests
set -u
cd "$(dirname "$0")/../.." || exit 2
layers=(base ptx sim watch device lab)
bad=0
left=
for layer in "${layers[@]}"; do
    left="$left $layer"
    while IFS=: read -r file line include; do
        from=${include#*\"}
        from=${from%%/*}
        case " $left " in
        *" $from "*) ;;
        *)
            echo "$file:$line: $layer may include only:$left"
            bad=1
            ;;
        esac
    done < <(grep -rn --include='*.[ch]' --include='*.def' \
        --exclude-dir=include '^ *# *include "' "common/$layer")
done
exit $bad
