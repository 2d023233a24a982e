#!/usr/bin/env bash
# Makes the book a site in $BUILD/site, with mkdocs and its theme material.
#
#   docs/site.sh [BUILD]        BUILD: build
#
# The pages are copied, so that what they link to outside of docs/ comes along:
# Markdown as it is, code as a page with its text.  Nothing is fetched, and the
# site asks no other machine for anything.
set -eu
cd "$(dirname "$0")/.."
build=${1:-build}
work=$build/site_pages
rm -rf "$work"
mkdir -p "$work/pages"
cp docs/mkdocs.yml "$work/mkdocs.yml"
cp -r docs/figures docs/theme docs/*.md "$work/pages/"
rm -f "$work"/pages/figures/*.sh "$work"/pages/figures/*.awk
if [ -d docs/gallery ]; then cp -r docs/gallery "$work/pages/"; fi

# The stills lead to the pages they were taken from, which play.
play() { # play STAGE
    mkdir -p "$work/pages/play"
    "$build/bin/lab" trace "$1" --from solutions \
        --out "$work/pages/play/$1.html" >/dev/null 2>&1 || {
        echo "lab trace $1 failed: its stills do not play" >&2
        return 0
    }
    sed -i -E "s,^(!\[[^]]*\]\(gallery/$1.png\))\$,[\1](play/$1.html)," \
        "$work"/pages/*.md
}
if [ -x "$build/bin/lab" ]; then
    for stage in solutions/*/; do play "$(basename "$stage")"; done
fi

# Each link that leaves docs/: FILE, from the top of the checkout.
outside() {
    grep -ohE '\]\(\.\./[^)# ]+' docs/*.md | sed 's|^](\.\./||' | sort -u
}
while read -r file; do
    mkdir -p "$work/pages/$(dirname "$file")"
    case $file in
    *.md) # its own links: those into docs/ stay, others become plain text
        sed -E -e 's,\]\(((\.\./)+)docs/,](\1,g' \
            -e 's,\[([^]]*)\]\(([^)#:]*\.(cu|c|h|sh|def))\),`\1`,g' \
            "$file" >"$work/pages/$file"
        ;;
    *)
        if [ -d "$file" ]; then continue; fi
        {
            printf '# %s\n\n' "$file"
            case $file in
            *.cu | *.cuh) printf '```cuda\n' ;;
            *.c | *.h | *.def) printf '```c\n' ;;
            *.sh) printf '```bash\n' ;;
            *) printf '```text\n' ;;
            esac
            cat "$file"
            printf '```\n'
        } >"$work/pages/$file.md"
        ;;
    esac
done < <(outside)

# In the copied pages: ../labs/x/kernel.cu -> labs/x/kernel.cu.md, and a link
# to a folder becomes its name.
sed -i -E -e 's,\]\(\.\./([^)# ]+\.md),](\1,g' \
    -e 's,\[([^]]*)\]\(\.\./[^)# ]+/\),`\1`,g' \
    -e 's,\]\(\.\./([^)# ]+)\),](\1.md),g' \
    "$work"/pages/*.md
mkdocs build --quiet --strict -f "$work/mkdocs.yml"
echo "the book: $build/site/index.html"
