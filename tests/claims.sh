#!/usr/bin/env bash
# make claims: every claim is measured and is what the ledger says, and every
# claim that can be measured is in the ledger; a ledger that says otherwise is
# told.
#   tests/claims.sh [PROGRAM]     build/bin/lab
# Prints what failed, then `N passed, M failed, K skipped`.
set -u
cd "$(dirname "$0")/.." || exit 2
export LAB=${1:-build/bin/lab}
passed=0
failed=0
verdict() { # verdict NAME CONDITION...
    if "${@:2}"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1"
    fi
}
output=$(docs/claims.sh 2>&1)
status=$?
mapfile -t functions < <(sed -n 's/^\(claim_[a-z0-9_]*\)() .*/\1/p' docs/claims.sh)
for name in "${functions[@]}"; do
    id=${name//_/-}
    told=$(sed -n "/^$id /,/^claim-/p" <<<"$output" | sed '$!b; /^claim-/d')
    verdict "$id is not in docs/claims.md" [ -n "$told" ]
    verdict "$id: $told" [ "${told/the book says/}" = "$told" ]
done
verdict "claims.sh: exit status $status" [ $status = 0 ]
verdict 'a line is wider than 80' [ -z "$(awk 'length > 80' <<<"$output")" ]

# A ledger that claims too much.
ledger=$(mktemp)
trap 'rm -f "$ledger"' EXIT
sed 's/\(bytes 124 to 127 are in bank 127 |\) no/\1 yes/' docs/claims.md >"$ledger"
output=$(LEDGER=$ledger docs/claims.sh bank-127 2>&1)
verdict 'a wrong ledger passes' [ $? = 1 ]
verdict 'and says so' grep -q 'the book says: holds' <<<"$output"
docs/claims.sh nonsense >/dev/null 2>&1
verdict 'an unknown claim passes' [ $? = 2 ]
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
