#!/usr/bin/env bash
# Makes a release of the last commit in build/release: the source archive, the
# Debian packages, and their checksums. The same commit gives the same bytes,
# whoever builds it and whenever: files in a fixed order, with the time of the
# commit. Called by ./dev release, which installs what is needed.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."

version=$(sed -n 's/^#define PITH_VERSION "\(.*\)"$/\1/p' include/pith.h)
name=pith-$version
out=$PWD/build/release
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)

die() {
  printf 'release: %s\n' "$*" >&2
  exit 1
}

# The version stands in the header, the change log and the citation.
check_version() {
  grep -q "^## $version" CHANGELOG.md || die "CHANGELOG.md has no $version"
  grep -q "^version: $version" CITATION.cff || die "CITATION.cff is not $version"
}

make_archive() {
  git archive --format=tar --prefix="$name/" HEAD | gzip -n -9 >"$out/$name.tar.gz"
}

# debian/changelog follows from the version and the commit.
make_debian() {
  local work=$1
  tar -xzf "$out/$name.tar.gz" -C "$work"
  cp -r packaging/debian "$work/$name/debian"
  printf 'pith (%s) bookworm; urgency=medium\n\n  * Release %s.\n\n -- %s  %s\n' \
    "$version" "$version" "$(sed -n 's/^Maintainer: //p' packaging/debian/control)" \
    "$(date -R -d "@$SOURCE_DATE_EPOCH")" >"$work/$name/debian/changelog"
  (cd "$work/$name" && dpkg-buildpackage -b -uc -us >"$out/debian.log" 2>&1) || {
    tail -n 20 "$out/debian.log" >&2
    die "the Debian packages could not be built"
  }
  cp "$work"/*.deb "$out"
}

check_version
rm -rf "$out"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make_archive
make_debian "$work"
if [ "${1:-}" = --twice ]; then
  mkdir "$out/first"
  mv "$out"/*.deb "$out/first"
  rm -rf "${work:?}"/*
  make_debian "$work"
  for deb in "$out"/first/*.deb; do
    cmp "$deb" "$out/$(basename "$deb")" || die "two builds differ"
  done
  rm -r "$out/first"
  echo "two builds gave the same bytes"
fi
# What the library offers to programs that were built with an earlier release:
# its description is kept beside the release, and compared with the last one
# that was put into packaging/abi.
check_abi() {
  local last
  dpkg-deb -x "$out"/libpith0.1_*.deb "$work/abi"
  dpkg-deb -x "$out"/libpith0.1-dbgsym_*.deb "$work/abi" 2>/dev/null || true
  library=$(find "$work/abi" -name 'libpith.so.*' -type f)
  abidw --no-corpus-path --headers-dir include --out-file "$out/$name.abi" \
    --debug-info-dir "$work/abi/usr/lib/debug" "$library"
  nm -D --defined-only "$library" | awk '{ print $3 }' | sort >"$out/$name.symbols"
  last=$(find packaging/abi -name '*.abi' 2>/dev/null | sort -V | tail -n 1 || true)
  if [ -n "$last" ] && [ "$(basename "$last")" != "$name.abi" ]; then
    abidiff "$last" "$out/$name.abi" || die "the interface differs from $last"
  fi
  echo "$(wc -l <"$out/$name.symbols") public symbols"
}
check_abi
lintian --fail-on error,warning --allow-root "$out"/*.deb
(cd "$out" && sha256sum -- *.tar.gz *.deb >SHA256SUMS)
cat "$out/SHA256SUMS"
