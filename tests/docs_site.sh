#!/usr/bin/env bash
# The book as a site: mkdocs builds it without a warning, each link with an
# anchor finds it in the page that was made, nothing is asked of other machines.
# Ends with `N passed, M failed, K skipped`.
set -u
cd "$(dirname "$0")/.." || exit 2
if ! command -v mkdocs >/dev/null 2>&1 ||
    [ ! -d /usr/share/mkdocs/themes/material ]; then
    echo 'skipped: the site of the book needs mkdocs and mkdocs-material'
    echo '0 passed, 0 failed, 1 skipped'
    exit 0
fi
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
if ! docs/site.sh "$folder" >"$folder/log" 2>&1; then
    cat "$folder/log"
    echo '0 passed, 1 failed, 0 skipped'
    exit 1
fi
cd "$folder/site" || exit 2
find . -name '*.html' ! -name 404.html -printf '%P\n' |
    xargs grep -oHE '(id|href|src)="[^"]*"' >"$folder/found"
awk -v FS='"' '
    function folder_of(path)
    {
        return path ~ /\// ? substr(path, 1, match(path, /[^\/]*$/) - 1) : ""
    }
    {
        page = $1
        sub(/:[a-z]*=$/, "", page)
        kind = $1
        sub(/^.*:/, "", kind)
    }
    kind == "id=" { ids[page "#" $2] = 1; next }
    kind == "src=" && $2 ~ /^(https?:)?\/\// {
        print page ": asks another machine for " $2
        next
    }
    $2 ~ /^[a-z]+:/ || $2 !~ /#./ { next }
    {
        target = $2
        anchor = $2
        sub(/#.*/, "", target)
        sub(/^[^#]*#/, "", anchor)
        target = target == "" ? page : folder_of(page) target
        while (sub(/[^\/.][^\/]*\/\.\.\//, "", target))
            ;
        if (anchor !~ /^__/) {
            count++
            from[count] = page
            to[count] = target "#" anchor
        }
    }
    END {
        for (i = 1; i <= count; i++)
            if (!(to[i] in ids))
                print from[i] ": no anchor " to[i]
        print "links " count + 0
    }' "$folder/found" >"$folder/told"
failed=$(grep -cv '^links ' "$folder/told")
grep -v '^links ' "$folder/told"
echo "$(sed -n 's/^links //p' "$folder/told") passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
