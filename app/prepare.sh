# Shared by app/run, app/screenshots, tests/run and .ci/run: what has to be there before anything can run.
# Sourced, not run. Says what it does on the standard error, so that the output of the programs stays their own.

# Without CDPATH: with it, cd may go elsewhere, and prints where.
root="$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)"

say() {
    printf '%s\n' "$*" >&2
}

header() {
    printf '\n==== %s ====\n' "$*"
}

# packages GROUP: the names in that group of app/packages.txt.
packages() {
    sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$root/app/packages.txt" |
        awk -v group="[$1]" '/^\[/ { inside = $1 == group; next } inside { print $1 }'
}

# missing_packages GROUP ...
missing_packages() {
    local group package
    for group in "$@"; do
        for package in $(packages "$group"); do
            if [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)" != installed ]; then
                printf '%s ' "$package"
            fi
        done
    done
}

# install_packages GROUP ...: what is missing of these groups of app/packages.txt. On a system without Debian's packages
# it only says what is needed: CMake names the first thing it misses. Who may not install goes on without what is only
# helpful.
install_packages() {
    if ! command -v dpkg-query >/dev/null; then
        say "This is not a Debian system, so nothing is installed; what app/packages.txt lists must be there already."
        return
    fi
    local missing
    missing="$(missing_packages "$@")"
    if [ -z "$missing" ]; then
        return
    fi
    local as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            if [ "$*" = helpful ]; then
                return
            fi
            say "These packages are missing, and installing them takes root or sudo: $missing"
            say "As root: apt-get update && apt-get install --no-install-recommends $missing"
            exit 1
        fi
        as_root=(sudo)
    fi
    say "Installing: $missing"
    "${as_root[@]}" apt-get update >&2
    # Word splitting is meant: one word per package.
    # shellcheck disable=SC2086
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends $missing >&2
}

# configure PRESET [CMAKE ARGUMENTS ...]: into build/PRESET. A folder that was configured by other presets begins again:
# where the compiler changes, CMake forgets what else they say.
configure() {
    local preset="$1"
    shift
    say "Configuring the preset $preset"
    local configured_by="$root/build/$preset/presets.json"
    local fresh=()
    if ! cmp -s "$root/CMakePresets.json" "$configured_by"; then
        fresh=(--fresh)
    fi
    cmake -S "$root" --preset "$preset" "${fresh[@]}" "$@" >&2
    cp "$root/CMakePresets.json" "$configured_by"
}

# build DIRECTORY [TARGET ...]: all targets when none is named.
build() {
    local directory="$1"
    shift
    local targets=()
    if [ $# -gt 0 ]; then
        targets=(--target "$@")
    fi
    say "Building in $directory"
    cmake --build "$directory" --parallel "$(nproc)" "${targets[@]}" >&2
}

# run_tests DIRECTORY [CTEST ARGUMENTS ...]: no window appears, whatever display there is. A whole suite runs in a few
# processes; ctest's arguments choose among single tests, each a process of its own, or with -L among those of a label.
run_tests() {
    local directory="$1"
    shift
    local which=(-L shard)
    if [ $# -gt 0 ]; then
        which=()
        if [[ " $* " != *" --rerun-failed "* && " $* " != *" -L "* ]]; then
            which=(-LE shard)
        fi
    fi
    # One more than there are cores: some tests wait, for a timer or for a program that they start.
    QT_QPA_PLATFORM=offscreen ctest --test-dir "$directory" --parallel "$(($(nproc) + 1))" \
        --timeout "$((1200 * ${GTEST_REPEAT:-1}))" --output-on-failure --no-tests=error "${which[@]}" "$@"
}
