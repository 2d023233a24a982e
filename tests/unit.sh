#!/usr/bin/env bash
# Runs Check programs and adds up what they say.
#   tests/unit.sh FOLDER [NAME...]     all programs in FOLDER (build/unit), but
#                                      for those names
# Prints what failed, then `N passed, M failed, K skipped`.
set -u
passed=0
failed=0
left_out=" ${*:2} "
for program in "$1"/test_*; do
    if [ ! -x "$program" ] || [[ $program == *.* ]]; then continue; fi
    if [[ $left_out == *" ${program##*/} "* ]]; then continue; fi
    output=$(CK_VERBOSITY=normal CK_DEFAULT_TIMEOUT=60 "$program" 2>&1 </dev/null)
    status=$?
    line=$(grep -E '^[0-9]+%: Checks: ' <<<"$output" | tail -n 1)
    if [[ $line =~ Checks:\ ([0-9]+),\ Failures:\ ([0-9]+),\ Errors:\ ([0-9]+) ]]; then
        bad=$((BASH_REMATCH[2] + BASH_REMATCH[3]))
        passed=$((passed + BASH_REMATCH[1] - bad))
        failed=$((failed + bad))
        if [ "$bad" -gt 0 ]; then
            echo "${program##*/}:"
            grep -E ':[EF]:' <<<"$output"
        elif [ "$status" != 0 ]; then
            failed=$((failed + 1))
            echo "${program##*/}: exit status $status"
        fi
    else
        failed=$((failed + 1))
        echo "${program##*/}: it gave no result (exit status $status):"
        tail -n 5 <<<"$output"
    fi
done
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
