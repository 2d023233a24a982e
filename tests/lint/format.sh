#!/usr/bin/env bash
# The formatter decides the layout of C files.
#   format.sh          says which files it would lay out otherwise
#   format.sh --apply  lays them out
set -u
cd "$(dirname "$0")/../.." || exit 2
apply=no
if [ "${1:-}" = --apply ]; then apply=yes; fi
export apply
one() {
    if [ "$apply" = yes ]; then
        clang-format -i "$1"
    elif ! clang-format --dry-run -Werror "$1" 2>/dev/null; then
        echo "$1: not formatted (make format)"
        return 1
    fi
}
export -f one
# shellcheck disable=SC2016 # the inner shell expands $1
git ls-files -z --cached --others --exclude-standard -- '*.c' '*.h' \
    ':!common/device/include' |
    while IFS= read -r -d '' f; do
        if [ -f "$f" ]; then printf '%s\0' "$f"; fi
    done | xargs -0 -P "$(nproc)" -I{} bash -c 'one "$1"' - {}
