#!/usr/bin/env bash
# The pages in a real browser.  Ends with `N passed, M failed, K skipped`.
#   tests/browser.sh [BIN]     the folder with `lab` (build/bin)
set -u
cd "$(dirname "$0")/.." || exit 2
bin=${1:-build/bin}
for name in chromium chromium-browser google-chrome; do
    if command -v $name >/dev/null 2>&1; then browser=$name; fi
done
if [ -z "${browser:-}" ] || ! command -v python3 >/dev/null 2>&1; then
    echo 'skipped: the pages need chromium and python3 (apt-get install chromium)'
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
fi
if ! "$bin/lab" list --json >/dev/null 2>&1; then
    echo 'skipped: the pages need jansson (apt-get install libjansson-dev)'
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
fi
exec timeout 120 python3 -B tests/browser/pages.py "$bin/lab"
