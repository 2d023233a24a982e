#!/usr/bin/env bash
# Every lint check; one line each, and what it found.  Ends with
# `N passed, M failed, K skipped`.
set -u
cd "$(dirname "$0")/../.." || exit 2
passed=0
failed=0
skipped=0
check() { # check NAME COMMAND...
    local output
    if output=$("${@:2}" 2>&1); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'lint %s:\n%s\n' "$1" "$output"
    fi
}
check layers tests/lint/layers.sh
check sizes tests/lint/sizes.sh
check words tests/lint/words.sh
check labs_match tests/lint/labs_match.sh
check format tests/lint/format.sh
check clang-tidy tests/lint/tidy.sh
if command -v shellcheck >/dev/null 2>&1; then
    check shellcheck bash -c \
        "git ls-files -z -- '*.sh' .ci/run | xargs -0 shellcheck -S warning"
else
    echo 'lint shellcheck: skipped, it is not installed'
    skipped=1
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
