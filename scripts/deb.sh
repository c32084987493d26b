#!/usr/bin/env bash
# A Debian package of the extension for one Postgres major, from what `install.sh build` staged:
#
#   PG_CONFIG=/usr/lib/postgresql/17/bin/pg_config CODECITE_PROFILE=release scripts/install.sh build
#   PG_CONFIG=/usr/lib/postgresql/17/bin/pg_config scripts/deb.sh [FOLDER]
#
# It holds the library, the control file, the SQL, the licence and the notices of what is linked in; neither model nor ONNX Runtime.
# Prints the path of the package.
. "$(dirname "$0")/lib.sh"

pg_config="$(chosen_pg_config)"
major="$(pg_major "$pg_config")"
stage="$state/stage/$major"
folder="${1:-$state/deb}"
library="$stage$("$pg_config" --pkglibdir)/codecite.so"
[ -f "$library" ] || die "nothing is staged for Postgres $major" "Run: PG_CONFIG=$pg_config scripts/install.sh build"
case "$("$pg_config" --pkglibdir)" in
  /usr/lib/postgresql/*) ;;
  *) die "$pg_config is no packaged Postgres" "A package fits the paths of the Postgres that it was built with." ;;
esac
have dpkg-deb || die "dpkg-deb is missing" "It is part of Debian's package dpkg."
version="$(sed -nE "s/^default_version *= *'([^']*)'.*/\1/p" "$repo/codecite_pg/codecite.control")"
case "$machine" in x86_64) arch=amd64 ;; aarch64) arch=arm64 ;; *) die "unknown processor: $machine" ;; esac
name="postgresql-$major-codecite"

root="$(mktemp -d)"
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
cp -r "$stage/." "$root"
docs="$root/usr/share/doc/$name"
mkdir -p "$docs" "$root/DEBIAN"
cp "$repo/LICENSE" "$docs/copyright"
(cd "$repo" && python3 "$scripts/notices.py" "codecite_pg/pg$major" "$machine") | gzip -9n >"$docs/THIRD-PARTY.gz"
find "$root" -type d -exec chmod 755 {} +
find "$root" -type f -exec chmod 644 {} +
if have strip; then strip --strip-debug "$root$("$pg_config" --pkglibdir)/codecite.so"; fi
# The newest symbol version of glibc that the library needs.
glibc="$(objdump -T "$library" 2>/dev/null | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1 | cut -d _ -f 2)"
cat >"$root/DEBIAN/control" <<CONTROL
Package: $name
Version: $version-1
Architecture: $arch
Maintainer: codecite's maintainers <codecite@localhost>
Depends: postgresql-$major, postgresql-$major-pgvector (>= $pgvector_oldest), libc6 (>= ${glibc:-2.36}), libgcc-s1
Section: database
Priority: optional
Installed-Size: $(du -sk "$root" | cut -f 1)
Description: building codes in Postgres: ingest, search and cite
 An extension that reads building codes, keeps them as a tree of sections and
 answers searches with citations, or says that they are not covered.
 CREATE EXTENSION codecite CASCADE makes it, in each database.
CONTROL
mkdir -p "$folder"
dpkg-deb --root-owner-group --build "$root" "$folder/${name}_$version-1_$arch.deb" >&2
echo "$folder/${name}_$version-1_$arch.deb"
