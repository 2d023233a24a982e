#!/usr/bin/env bash
# Makes sure that the tools a make target needs are there, and writes what
# was found to $BUILD/config.mk for the Makefile.
#
#   grading/setup.sh TARGET     TARGET as typed after `make`
#
# A missing tool is named.  On Debian and Ubuntu, as root or with
# passwordless sudo, it is installed with apt-get; SETUP=no forbids that.
# Without the right to install, the one command to type is printed.
# Exit status 2: something is still missing.
set -u
cd "$(dirname "$0")/.." || exit 2
target=${1:-build}
build=${BUILD:-build}

have() { command -v "$1" >/dev/null 2>&1; }

c_compiler() { # $CC, or the first compiler there is
    local c
    for c in ${CC:-cc gcc clang}; do
        if have "$c"; then
            echo "$c"
            return
        fi
    done
    return 1
}

has_c_compiler() { c_compiler >/dev/null; }

# nvcc leaves the first step to the host's C++ compiler.
cpp_compiler() { echo | g++ -E -x c++ - >/dev/null 2>&1; }

find_nvcc() {
    have nvcc || [ -x "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" ] ||
        [ -x /usr/local/cuda/bin/nvcc ]
}

find_clang() {
    local c
    for c in clang clang-{14..22}; do
        if have "$c"; then return; fi
    done
    return 1
}

header() { # header FILE: can C code include it?
    echo "#include <$1>" | "$(c_compiler)" -E -x c - >/dev/null 2>&1
}

# Each missing thing: a name for people and a Debian package.
missing=()
packages=()
want() { # want PACKAGE: once each
    case " ${packages[*]} " in
    *" $1 "*) ;;
    *) if [ -n "$1" ]; then packages+=("$1"); fi ;;
    esac
}
need() { # need NAME PACKAGE CHECK...
    local name=$1 package=$2
    shift 2
    if ! "$@"; then
        missing+=("$name")
        want "$package"
    fi
}

device_compiler() { find_nvcc || find_clang; }

need_device_compiler() {
    case ${COMPILER:-} in
    clang) need 'clang (COMPILER=clang)' clang find_clang ;;
    nvcc) # no package of Debian's
        need 'nvcc (of the CUDA Toolkit; or leave COMPILER=nvcc out)' '' \
            find_nvcc
        ;;
    *) need 'device compiler (nvcc or clang)' clang device_compiler ;;
    esac
    if [ "${COMPILER:-}" != clang ] && find_nvcc; then
        need 'C++ compiler (nvcc calls g++)' g++ cpp_compiler
    fi
}

collect() { # what this target needs
    missing=()
    packages=()
    need "C compiler${CC:+ (CC=$CC)}" gcc has_c_compiler
    need 'C library headers' libc6-dev header stdio.h
    case $target in
    build | lint | format | book | hint | reset | diff | progress | doctor) ;;
    *) need_device_compiler ;;
    esac
    case $target in
    grade | test) need Check check header check.h ;;
    esac
    case $target in
    test)
        need clang clang find_clang
        need 'clang sanitizers' libclang-rt-dev sanitizers
        need clang-tidy clang-tidy have clang-tidy
        ;;
    gallery)
        need chromium chromium have chromium
        need pngquant pngquant have pngquant
        ;;
    lint) need clang-tidy clang-tidy have clang-tidy ;;
    docs) need clang clang find_clang ;; # the pages show what clang's PTX does
    book)
        need mkdocs mkdocs have mkdocs
        need 'mkdocs material theme' mkdocs-material \
            test -d /usr/share/mkdocs/themes/material
        ;;
    esac
    case $target in
    test | lint | format)
        need clang-format clang-format have clang-format
        ;;
    esac
}

optional() { # nice to have; absence stops nothing
    if ! header jansson.h; then want libjansson-dev; fi
    case $target in
    test | lint) if ! have shellcheck; then want shellcheck; fi ;;
    esac
    case $target in # pictures; test: one of each
    sweep | experiment | plot | test)
        if ! have gnuplot; then packages+=(gnuplot-nox); fi
        ;;
    esac
    # The pages are tested in a real browser: 120 MB, ten seconds.
    case $target in
    test)
        if ! have chromium && ! have google-chrome; then
            want chromium
        fi
        ;;
    esac
}

sanitizers() {
    echo 'int main(void) { return 0; }' |
        clang -fsanitize=address,undefined -x c - -o /dev/null 2>/dev/null
}

may_install() {
    [ "${SETUP:-yes}" != no ] && have apt-get || return 1
    if [ "$(id -u)" = 0 ]; then
        as_root=()
    elif have sudo && sudo -n true 2>/dev/null; then
        as_root=(sudo -n)
    else
        return 1
    fi
}

install() { # install PACKAGE...: quiet unless it fails
    local log
    log=$(mktemp) || return 1
    echo "installing with apt-get: $*" >&2
    if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends "$@" >"$log" 2>&1; then
        "${as_root[@]}" apt-get update >>"$log" 2>&1
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y --no-install-recommends "$@" >>"$log" 2>&1 ||
            {
                tail -n 5 "$log" >&2
                rm -f "$log"
                return 1
            }
    fi
    rm -f "$log"
}

check_libraries() { # how to link Check; static, so that the grader travels
    local libs
    for libs in '-l:libcheck_pic.a -l:libsubunit.a' '-l:libcheck_pic.a' \
        '-lcheck -lsubunit' '-lcheck'; do
        # shellcheck disable=SC2086 # a list of flags
        if printf '%s\n' '#include <check.h>' \
            'int main(void) { srunner_free(srunner_create(0)); return 0; }' |
            "$(c_compiler)" -x c - -o /dev/null $libs -lm -lrt -pthread \
                2>/dev/null; then
            echo "$libs -lm -lrt -pthread"
            return
        fi
    done
}

write_config() { # only when it changed, as every object depends on it
    local cc jansson=0 levels=
    cc=$(c_compiler)
    if printf '%s\n' '#include <jansson.h>' \
        'int main(void) { return !json_object(); }' |
        "$cc" -x c - -o /dev/null -ljansson 2>/dev/null; then jansson=1; fi
    case $("$cc" -dumpmachine) in x86_64*) levels='avx2 avx512' ;; esac
    mkdir -p "$build" || exit 2
    printf '%s\n' "CC := $cc" "HAVE_JANSSON := $jansson" \
        "ALU_LEVELS := $levels" >"$build/config.new" || exit 2
    keep_new "$build/config.mk"
    # Apart, as only two programs are linked with it: objects stay as they are
    # when Check comes later.
    echo "CHECK_LIBS := $(check_libraries)" >"$build/config.new" || exit 2
    keep_new "$build/check.mk"
}

keep_new() { # keep_new FILE: becomes what $build/config.new is, if it differs
    if cmp -s "$build/config.new" "$1"; then
        rm -f "$build/config.new"
    else
        mv "$build/config.new" "$1"
    fi
}

say_missing() { # say_missing WORDS: what is missing, after them
    local list
    list=$(printf '%s, ' "${missing[@]}")
    echo "$1 ${list%, }" >&2
}

say_how() { # the one command, for who types it
    local sudo=
    if [ ${#packages[@]} = 0 ]; then return; fi
    if ! have apt-get; then
        echo "install them; on Debian and Ubuntu the packages are called:" >&2
        echo "    ${packages[*]}" >&2
        return
    fi
    if [ "$(id -u)" != 0 ] && have sudo; then sudo='sudo '; fi
    if [ "$(id -u)" != 0 ] && ! have sudo; then
        echo "type this as root (there is no sudo), then try again:" >&2
    else
        echo "type this, then try again:" >&2
    fi
    echo "    ${sudo}apt-get update && ${sudo}apt-get install" \
        "--no-install-recommends ${packages[*]}" >&2
}

collect
if [ ${#missing[@]} -gt 0 ]; then
    say_missing "make $target needs what is not here:"
    if [ ${#packages[@]} -gt 0 ] && may_install; then
        install "${packages[@]}"
        collect
        if [ ${#missing[@]} -gt 0 ]; then say_missing 'still missing:'; fi
    fi
    if [ ${#missing[@]} -gt 0 ]; then
        if [ ${#packages[@]} -gt 0 ]; then optional; fi
        say_how
        exit 2
    fi
fi
packages=()
optional
untried=()
tried=$build/.optional-tried # each is tried once, whichever target wants it
for package in "${packages[@]}"; do
    if [ -e "$tried" ] && grep -qxF "$package" "$tried"; then continue; fi
    untried+=("$package")
done
if [ ${#untried[@]} -gt 0 ] && may_install; then
    mkdir -p "$build" && printf '%s\n' "${untried[@]}" >>"$tried"
    install "${untried[@]}" ||
        echo "going on without: ${untried[*]}" >&2
fi
write_config
