#!/usr/bin/env bash
# The set-up (grading/setup.sh) on machines that lack something.  Each case has
# a PATH of its own with what is there; apt-get, sudo and id are scripts that
# say what they were asked.  No network, nothing is installed.
# Ends with `N passed, M failed, K skipped`.
set -u
cd "$(dirname "$0")/.." || exit 2
passed=0
failed=0
skipped=0
dir=$(mktemp -d) || exit 2
trap 'rm -rf "$dir"' EXIT

# What every machine has; the rest is added by name.
usual=(awk bash cat cmp cut dirname echo env expand find grep head id ls make
    mkdir mktemp mv printf rm sed sh sort tail test touch tr true uname nproc)

machine() { # machine TOOL...: an empty one with these
    local tool
    rm -rf "${dir:?}/bin" "$dir/build"
    mkdir -p "$dir/bin"
    : >"$dir/asked"
    for tool in "${usual[@]}" "$@"; do
        case $tool in
        clang | nvcc) printf '#!/bin/sh\nexit 0\n' >"$dir/bin/$tool" ;;
        # The compiler has the headers that are not named in $dir/lacks.
        cc | g++)
            printf '#!%s\n' "$(command -v bash)" >"$dir/bin/$tool"
            cat >>"$dir/bin/$tool" <<'END'
if [ "$1" = -dumpmachine ]; then echo x86_64-linux-gnu; exit; fi
text=$(cat)
while read -r header; do
    case $text in *"$header"*) exit 1 ;; esac
done <"$LACKS"
END
            ;;
        *)
            if ! type -P "$tool" >/dev/null; then
                skip "this machine has no $tool"
                return 1
            fi
            ln -s "$(type -P "$tool")" "$dir/bin/$tool"
            ;;
        esac
        chmod +x "$dir/bin/$tool" 2>/dev/null
    done
    : >"$dir/lacks"
}
lacks() { printf '%s\n' "$@" >"$dir/lacks"; }
user() { # user ID: who one is
    rm -f "$dir/bin/id"
    printf '#!/bin/sh\necho %s\n' "$1" >"$dir/bin/id"
    chmod +x "$dir/bin/id"
}
apt_get() { # apt_get STATUS TOOL...: it leaves these tools (a file: no lack)
    local status=$1 tool
    shift
    {
        printf '#!/bin/sh\necho "apt-get $*" >>%s/asked\n' "$dir"
        [ "$status" = 0 ] || printf 'echo "E: no network" >&2\n'
        for tool in "$@"; do
            if [ "$tool" = headers ]; then
                printf ': >%s/lacks\n' "$dir"
            else
                printf 'printf "#!/bin/sh\\n" >%s/bin/%s\n' "$dir" "$tool"
                printf 'chmod +x %s/bin/%s\n' "$dir" "$tool"
            fi
        done
        printf 'exit %s\n' "$status"
    } >"$dir/bin/apt-get"
    chmod +x "$dir/bin/apt-get"
    ln -sf "$(type -P chmod)" "$dir/bin/chmod"
}
sudo() { # sudo STATUS: 0 asks for no password
    printf '#!/bin/sh\n[ %s = 0 ] || exit 1\n[ "$1" = -n ] || exit 1\nshift\necho "sudo $*" >>%s/asked\nexec "$@"\n' \
        "$1" "$dir" >"$dir/bin/sudo"
    chmod +x "$dir/bin/sudo"
}

skip() {
    echo "skipped: $1"
    skipped=$((skipped + 1))
}
# try NAME STATUS SAYS ASKED COMMAND...: SAYS must be in what is said, ASKED in
# what apt-get and sudo were asked ('': nothing may be asked, ! in front: must
# not be said).
try() {
    local name=$1 want=$2 says=$3 asked=$4 output status ok=1
    shift 4
    output=$(env -i PATH="$dir/bin" BUILD="$dir/build" LACKS="$dir/lacks" \
        CUDA_HOME="$dir/none" "$@" 2>&1 </dev/null)
    status=$?
    [ "$status" = "$want" ] || ok=0
    case $says in
    !*) if grep -qE -- "${says#!}" <<<"$output"; then ok=0; fi ;;
    *) grep -qE -- "$says" <<<"$output" || ok=0 ;;
    esac
    if [ -z "$asked" ]; then
        [ ! -s "$dir/asked" ] || ok=0
    else
        grep -qE -- "$asked" "$dir/asked" || ok=0
    fi
    if [ $ok = 1 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$name: exit status $status, expected $want, /$says/, asked /$asked/:"
        sed 's/^/    /' <<<"$output"
        sed 's/^/    asked: /' "$dir/asked"
    fi
}
setup=(bash grading/setup.sh)

# ---- where nothing may be installed --------------------------------------------
machine
apt_get 0
user 0
try 'nothing there: names all' 2 'C compiler, C library headers, clang' '' \
    SETUP=no COMPILER=clang "${setup[@]}" demo
try 'nothing there: one command' 2 \
    '^    apt-get update && apt-get install --no-install-recommends gcc libc6-dev clang libjansson-dev$' \
    '' SETUP=no COMPILER=clang "${setup[@]}" demo
try 'make alone installs nothing' 0 'make demo' '' make BUILD="$dir/build"
try 'make help, SETUP=no' 0 'Nothing is built yet' '' \
    make help SETUP=no BUILD="$dir/build"
user 1000
try 'not root, no sudo' 2 'as root \(there is no sudo\)' '' \
    COMPILER=clang "${setup[@]}" demo
sudo 1
try 'sudo with a password' 2 '^    sudo apt-get update && sudo apt-get install' '' \
    COMPILER=clang "${setup[@]}" demo
rm "$dir/bin/apt-get"
try 'no apt-get' 2 'the packages are called:' '' COMPILER=clang "${setup[@]}" demo

# ---- with one compiler ------------------------------------------------------------
machine cc clang
try 'only clang' 0 '' '' COMPILER=clang "${setup[@]}" demo
lacks check.h
try 'grade needs Check' 2 'needs what is not here: Check' '' \
    COMPILER=clang "${setup[@]}" grade
try 'each package once' 2 '!clang.* clang( |$)' '' SETUP=no "${setup[@]}" test
machine cc nvcc g++
try 'only nvcc' 0 '' '' "${setup[@]}" demo
machine cc nvcc
try 'nvcc without g++' 2 'C\+\+ compiler \(nvcc calls g\+\+\)' '' "${setup[@]}" demo
machine cc clang
try 'CC that is not there' 2 'C compiler \(CC=wobble\)' '' \
    CC=wobble COMPILER=clang "${setup[@]}" demo
if [ ! -x /usr/local/cuda/bin/nvcc ]; then
    apt_get 0
    user 0
    try 'nvcc is no package' 2 'nvcc \(of the CUDA Toolkit' '' \
        COMPILER=nvcc "${setup[@]}" demo
else
    skip 'COMPILER=nvcc without nvcc: it is here'
fi

# ---- where it may be installed ------------------------------------------------------
machine cc
apt_get 0 clang
user 0
try 'root' 0 'installing with apt-get: clang' 'install .*clang' \
    COMPILER=clang "${setup[@]}" demo
machine cc
apt_get 0 clang
user 1000
sudo 0
try 'sudo without a password' 0 'installing' '^sudo env .*apt-get install' \
    COMPILER=clang "${setup[@]}" demo
machine cc
apt_get 100
user 0
try 'no network' 2 'E: no network' 'apt-get update' \
    COMPILER=clang "${setup[@]}" demo
try 'no network: one command' 2 'install --no-install-recommends clang' \
    'install' COMPILER=clang "${setup[@]}" demo
machine cc clang
apt_get 100
user 0
lacks jansson.h
try 'without what is only nice to have' 0 'going on without: libjansson-dev' \
    'libjansson-dev' COMPILER=clang "${setup[@]}" demo
: >"$dir/asked"
try 'which is tried once' 0 '!jansson' '' COMPILER=clang "${setup[@]}" demo
try 'and what another target would like' 0 'going on without: gnuplot-nox$' \
    'install .*gnuplot-nox' COMPILER=clang "${setup[@]}" experiment

# ---- what the Makefile reads ----------------------------------------------------------
machine cc clang
try 'before Check' 0 '' '' COMPILER=clang "${setup[@]}" demo
before=$(cat "$dir/build/config.mk")
touch -d '1 hour ago' "$dir/build/config.mk"
lacks nothing
try 'after it' 0 '' '' COMPILER=clang "${setup[@]}" grade
if [ "$(cat "$dir/build/config.mk")" = "$before" ] &&
    [ "$(find "$dir/build/config.mk" -mmin +30)" ] &&
    [ -s "$dir/build/check.mk" ]; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo 'config.mk changed, so that everything is built again'
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
