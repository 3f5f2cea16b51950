#!/usr/bin/env bash
# Makes a release of the last commit in build/release: the source archive, the
# Debian packages, the list of symbols, and checksums. The same commit gives the
# same bytes, whoever builds it, wherever and whenever: files in a fixed order,
# with the time of the commit. ./dev release calls it, and installs what is
# needed.
#
#   packaging/release.sh           the release
#   packaging/release.sh --twice   builds it again, in another folder, with other
#                                  rights and another time zone, and compares
#   packaging/release.sh --check   a short form for ./dev test: the archive
#                                  twice; the built programs name no folder and
#                                  no date
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."

version=$(sed -n 's/^#define PITH_VERSION "\(.*\)"$/\1/p' include/pith.h)
name=pith-$version
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
commit=$(git rev-parse HEAD) # work may go on beside a release
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct "$commit")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

die() {
  printf 'release: %s\n' "$*" >&2
  exit 1
}

# make_archive OUT [GIT-OPTION...]: tracked files in git's order; mode and owner
# do not depend on who makes it. gzip -n: without name and time.
make_archive() {
  local out=$1
  shift
  git "$@" -c tar.umask=0022 archive --format=tar --prefix="$name/" "$commit" |
    gzip -n -9 >"$out/$name.tar.gz"
}

# make_debian OUT FOLDER: builds what the archive in OUT holds, in FOLDER.
# debian/changelog follows from the version and the commit.
make_debian() {
  local out=$1 folder=$2
  mkdir -p "$folder"
  tar -xzf "$out/$name.tar.gz" -C "$folder"
  cp -r packaging/debian "$folder/$name/debian"
  printf 'pith (%s) bookworm; urgency=medium\n\n  * Release %s.\n\n -- %s  %s\n' \
    "$version" "$version" "$(sed -n 's/^Maintainer: //p' packaging/debian/control)" \
    "$(date -R -u -d "@$SOURCE_DATE_EPOCH")" >"$folder/$name/debian/changelog"
  (cd "$folder/$name" && dpkg-buildpackage -b -uc -us >"$out/debian.log" 2>&1) || {
    tail -n 20 "$out/debian.log" >&2
    die "the Debian packages could not be built"
  }
  cp "$folder"/*.deb "$out"
}

list_symbols() {
  dpkg-deb -x "$1"/libpith[0-9]*[0-9]_"$version"_*.deb "$work/library"
  nm -D --defined-only "$(find "$work/library" -name 'libpith.so.*' -type f)" |
    awk '{ print $3 }' | sort >"$1/$name.symbols"
}

# make_release OUT FOLDER
make_release() {
  rm -rf "$1"
  mkdir -p "$1"
  make_archive "$1"
  make_debian "$1" "$2"
  list_symbols "$1"
  (cd "$1" && sha256sum -- *.tar.gz *.deb *.symbols >SHA256SUMS)
}

# Debian maps no folder whose name has a blank out of debug information.
compare_twice() {
  (umask 077 && export TZ=Asia/Tokyo &&
    make_release "$work/again" "$work/elsewhere/under-another-name")
  diff "$1/SHA256SUMS" "$work/again/SHA256SUMS" || die "two builds differ"
  echo "two builds gave the same bytes"
}

check_shortly() {
  local file
  mkdir "$work/one" "$work/two"
  make_archive "$work/one"
  git clone -q --shared . "$work/a clone"
  (umask 077 && sleep 1 && make_archive "$work/two" -C "$work/a clone")
  cmp "$work/one/$name.tar.gz" "$work/two/$name.tar.gz" || die "two archives differ"
  for file in build/pith build/libpith.so; do
    ! grep -aqF "$PWD" "$file" || die "$file names the folder that it was built in"
    ! grep -aqE '(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ 0-9][0-9] 20[0-9]{2}' \
      "$file" || die "$file holds a date"
  done
  echo "3 passed, 0 failed"
}

if [ "${1:-}" = --check ]; then
  check_shortly
  exit
fi
out=$PWD/build/release
make_release "$out" "$work/build"
dpkg-deb -x "$out"/pith_"$version"_*.deb "$work/command"
python3 tests/check_abi.py --pith "$work/command/usr/bin/pith"
[ "${1:-}" != --twice ] || compare_twice "$out"
lintian --fail-on error,warning --allow-root "$out"/*.deb
cat "$out/SHA256SUMS"
