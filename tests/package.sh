#!/usr/bin/env bash
# Installs build/ into an empty folder and uses it as a stranger would: by
# find_package and by pkg-config, shared and static; then the folder is moved
# and used again, since packages are built in one place and live in another.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."

source=$PWD/examples/deduce.c
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0

# expect COMMAND...: the example's last line of facts must be there.
expect() {
  "$@" | grep -qx '6 facts follow' || {
    echo "FAIL $*"
    exit 1
  }
  passed=$((passed + 1))
}

use() {
  local prefix=$1 folder=$2 libdir flags
  libdir=$(dirname "$(find "$prefix" -name 'libpith.so')")
  export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
  cmake -S tests/consumer -B "$folder" -G Ninja -DSOURCE="$source" \
    -DCMAKE_PREFIX_PATH="$prefix"
  cmake --build "$folder"
  expect "$folder/with_shared"
  LD_LIBRARY_PATH='' expect "$folder/with_static"
  read -ra flags <<<"$(pkg-config --cflags --libs pith)"
  gcc "$source" "${flags[@]}" -o "$folder/shared"
  expect "$folder/shared"
  read -ra flags <<<"$(pkg-config --static --cflags --libs pith)"
  flags=("${flags[@]/#-lpith/-l:libpith.a}")
  gcc "$source" "${flags[@]}" -o "$folder/static"
  LD_LIBRARY_PATH='' expect "$folder/static"
}

cmake --install build --prefix "$work/first"
use "$work/first" "$work/one"
mv "$work/first" "$work/second"
use "$work/second" "$work/two"

"$work/second/bin/pith" --version
MANROFFSEQ='' man --warnings -l "$work"/second/share/man/man1/pith.1 \
  >/dev/null 2>"$work/man"
[ ! -s "$work/man" ] || {
  cat "$work/man"
  exit 1
}
bash -n "$work"/second/share/bash-completion/completions/pith
echo "$((passed + 3)) passed, 0 failed"
