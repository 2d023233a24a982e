#!/usr/bin/env bash
# The formatter decides the layout of C files.
#   format.sh          says which files it would lay out otherwise
#   format.sh --apply  lays them out
set -u
cd "$(dirname "$0")/../.." || exit 2
apply=no
if [ "${1:-}" = --apply ]; then apply=yes; fi
export apply
some() { # some FILE...: many at once, to start is most of its time
    if [ "$apply" = yes ]; then
        clang-format -i "$@"
        return
    fi
    local said
    said=$(clang-format --dry-run -Werror "$@" 2>&1) && return
    sed -n 's/^\([^ :]*\):[0-9].*error: code should be.*/\1/p' <<<"$said" |
        sort -u | sed 's/$/: not formatted (make format)/'
    return 1
}
export -f some
# shellcheck disable=SC2016 # the inner shell expands $@
git ls-files -z --cached --others --exclude-standard -- '*.c' '*.h' \
    ':!common/device/include' |
    while IFS= read -r -d '' f; do
        if [ -f "$f" ]; then printf '%s\0' "$f"; fi
    done | xargs -0 -P "$(nproc)" -n 40 bash -c 'some "$@"' -
