# Links of Markdown pages lead somewhere: files that are there, headings that
# are in them.  Reads all pages; prints what leads nowhere, and at the end
# `links N`.
#
#   awk -f links.awk PAGE...
function folder_of(path)
{
    return path ~ /\// ? substr(path, 1, match(path, /[^\/]*$/) - 1) : ""
}

# a/b/../c -> a/c
function tidy(path)
{
    while (sub(/[^\/.][^\/]*\/\.\.\//, "", path))
        ;
    sub(/^\.\//, "", path)
    gsub(/\/\.\//, "/", path)
    return path
}

# The anchor that a forge gives a heading.
function slug(text)
{
    gsub(/<[^>]*>/, "", text)
    gsub(/\]\([^)]*\)/, "", text)
    text = tolower(text)
    gsub(/[^a-z0-9 _-]/, "", text)
    gsub(/ /, "-", text)
    return text
}

FNR == 1 { fence = 0 }
/^```/ { fence = !fence }
fence { next }
/^#+ / {
    heading = $0
    sub(/^#+ +/, "", heading)
    anchor = slug(heading)
    times = used[FILENAME, anchor]++
    anchors[FILENAME "#" anchor (times ? "-" times : "")] = 1
}
{
    rest = $0
    while (match(rest, /id="[^"]*"/)) {
        anchors[FILENAME "#" substr(rest, RSTART + 4, RLENGTH - 5)] = 1
        rest = substr(rest, RSTART + RLENGTH)
    }
    rest = $0
    gsub(/`[^`]*`/, "", rest)
    while (match(rest, /(\]\([^) ]+\)|(src|href)="[^"]*")/)) {
        link = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        sub(/^\]\(/, "", link)
        sub(/\)$/, "", link)
        sub(/^(src|href)="/, "", link)
        sub(/"$/, "", link)
        if (link !~ /^(https?|mailto):/) {
            count++
            page[count] = FILENAME
            place[count] = FILENAME ":" FNR
            to[count] = link
        }
    }
}
END {
    for (i = 1; i <= count; i++) {
        file = to[i]
        sub(/#.*$/, "", file)
        target = file == "" ? page[i] : tidy(folder_of(page[i]) file)
        if (!(target in there))
            there[target] = system("test -e '" target "'") == 0
        if (!there[target])
            print place[i] ": the link to " to[i] " leads nowhere"
        else if (to[i] ~ /#/) {
            anchor = to[i]
            sub(/^[^#]*#/, "", anchor)
            if (target ~ /\.md$/ && !((target "#" anchor) in anchors))
                print place[i] ": " target " has no heading #" anchor
        }
    }
    print "links " count + 0
}
