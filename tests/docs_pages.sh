#!/usr/bin/env bash
# What the pages say is there: links and anchors lead somewhere, each `make`
# target, `lab` command and option that is named exists, each claim of the
# ledger has its box, each figure its words.
#
#   tests/docs_pages.sh [BIN]     BIN: the folder with `lab` (build/bin)
set -u
cd "$(dirname "$0")/.." || exit 2
bin=${1:-build/bin}
passed=0
failed=0
if [ -n "${PAGES-}" ]; then # only these
    read -r -a pages <<<"$PAGES"
else
    mapfile -t pages < <(git ls-files -- '*.md' | while read -r page; do
        if [ -e "$page" ]; then echo "$page"; fi
    done)
fi
complain() {
    failed=$((failed + 1))
    echo "$1"
}

# ---- links -------------------------------------------------------------------
while read -r line; do
    case $line in
    links\ *) passed=$((passed + ${line#links })) ;;
    *)
        passed=$((passed - 1))
        complain "$line"
        ;;
    esac
done < <(awk -f tests/book/links.awk "${pages[@]}")

# ---- commands ----------------------------------------------------------------
# In `code`, in lines that begin with four spaces, and after a prompt.
named() { # named WORD: the commands that begin so, as PAGE<tab>COMMAND
    awk -v word="$1" '
        FNR == 1 { fence = 0 }
        /^```/ { fence = !fence; next }
        function tell(text) {
            if (index(text, word " ") == 1) print FILENAME "\t" text
        }
        /^    [^ ]/ || (fence && /^\$ /) {
            text = $0
            sub(/^(    |\$ )/, "", text)
            sub(/   .*$/, "", text) # words behind the command
            tell(text)
        }
        !fence {
            rest = $0
            while (match(rest, /`[^`]*`/)) {
                tell(substr(rest, RSTART + 1, RLENGTH - 2))
                rest = substr(rest, RSTART + RLENGTH)
            }
        }
        /^<!-- (run|show|table)[^:]*: / {
            text = $0
            sub(/^<!-- [^:]*: /, "", text)
            sub(/( \| .*)? -->$/, "", text)
            tell(text)
        }' "${pages[@]}" | sort -u
}

targets=" $(sed -n 's/^\([a-z][a-z0-9 ]*\):.*/\1/p' Makefile | tr '\n' ' ')"
for stage in labs/*/; do
    stage=$(basename "$stage")
    targets+="${stage%%_*} "
done
while IFS=$'\t' read -r page command; do
    for word in ${command#make }; do
        case $word in
        *=* | -* | '...' | [^a-z]*) continue ;;
        esac
        if [[ $targets == *" $word "* ]]; then
            passed=$((passed + 1))
        else
            complain "$page: \`$command\`: there is no target $word"
        fi
    done
done < <(named make)

declare -A help
known() { # known PROGRAM COMMAND OPTION
    local key="$1 $2"
    if [ -z "${help[$key]-}" ]; then
        # shellcheck disable=SC2086 # no command: the program's own help
        help[$key]=$("$bin/$1" ${2:-} --help 2>&1)
    fi
    [[ ${help[$key]} == *"--$3 "* || ${help[$key]} == *"--$3"$'\n'* ]]
}
commands=" $("$bin/lab" --help | sed -n 's/^  \([a-z]\{1,\}\) .*/\1/p' | tr '\n' ' ')"
while IFS=$'\t' read -r page line; do
    read -r -a words <<<"${line#build/bin/}"
    command=${words[1]-}
    case $command in [^a-z]* | '') continue ;; esac
    if [[ $commands != *" $command "* ]]; then
        complain "$page: \`$line\`: there is no command $command"
        continue
    fi
    passed=$((passed + 1))
    for word in "${words[@]:2}"; do
        [[ $word =~ ^--([a-z-]+) ]] || continue
        option=${BASH_REMATCH[1]}
        if [ "$option" = help ] || known lab "$command" "$option"; then
            passed=$((passed + 1))
        else
            complain "$page: \`$line\`: lab $command has no --$option"
        fi
    done
done < <(named lab; named build/bin/lab)

# ---- claims and figures ------------------------------------------------------
if [ -e docs/claims.md ]; then
    ledger=$(grep -oE '#claim-[a-z0-9-]+' docs/claims.md | sed 's/^#//' | sort)
    boxes=$(grep -ohE 'id="claim-[a-z0-9-]+"' docs/*.md | cut -d'"' -f2 | sort)
    if [ "$ledger" = "$boxes" ]; then
        passed=$((passed + $(wc -l <<<"$boxes")))
    else
        complain 'docs/claims.md and the boxes of the chapters differ:'
        diff <(echo "$ledger") <(echo "$boxes")
    fi
fi
while IFS=: read -r page line text; do
    if [[ $text =~ !\[.{20,}\]\(figures/ ]]; then
        passed=$((passed + 1))
    else
        complain "$page:$line: a figure needs words for those who cannot see it"
    fi
done < <(grep -nHE '!\[[^]]*\]\(figures/' "${pages[@]}")
# ---- kernels that are named --------------------------------------------------
while IFS=: read -r page kernel; do
    if [ -e "tests/kernels/${kernel//\`/}.cu" ]; then
        passed=$((passed + 1))
    else
        complain "$page: there is no tests/kernels/${kernel//\`/}.cu"
    fi
done < <(grep -oHE '`(bad|ok)_[a-z0-9_]+`' "${pages[@]}" | sort -u)
echo "$passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
