#!/usr/bin/env bash
# Runs a command in a Debian root of our own that has that release's Postgres, its headers and pgvector, with the machine's
# Rust toolchain and this checkout: so that the matrix installs nothing on the machine itself, whose own Postgres may be in
# use.  debian.sh bookworm|trixie COMMAND…  needs root, on Debian.
#
# The root lies in .codecite/debian/<release>. Checkout, build folder and toolchain are bind-mounted at their own paths, so
# what was built outside counts inside. Mounts and processes live in namespaces of their own and end with the command.
. "$(dirname "$0")/lib.sh"
# shellcheck source=roots.sh
. "$scripts/roots.sh"

release="$1"
shift
case "$release" in
  bookworm) major=15 number=12 ;;
  trixie) major=17 number=13 ;;
  *) die "unknown release: $release" ;;
esac
root="$state/debian/$release"
is_root || die "a Debian root can only be made and entered by root" "Run: sudo make matrix"

if [ ! -d "$root" ]; then
  say "Making a Debian $number root with Postgres $major (some minutes, once)"
  log="$state/debian-$release.log"
  # Made beside its place and renamed, as everything here.
  debian_root "$release" "$root.partial" "$log"
  packages=(build-essential pkg-config libclang-dev git "postgresql-$major" "postgresql-server-dev-$major")
  if [ "$release" != bookworm ]; then packages+=("postgresql-$major-pgvector"); fi
  in_root "$root.partial" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends \
    -o Dpkg::Options::=--force-confold "${packages[@]}" >>"$log" 2>&1 || die "installing Postgres $major failed" "$(tail -n 5 "$log")"
  if [ "$release" = bookworm ]; then
    # Debian 12 has no pgvector. Debian 13's source package builds with Postgres 15; apt checks its signature. PGXS bears no
    # path with a space, and /tmp in the root has none. No bitcode for the JIT compiler: it needs another clang.
    # shellcheck disable=SC2016 # expanded by the inner shell
    in_root "$root.partial" bash -euc '
      echo "deb-src $1 trixie main" >/etc/apt/sources.list.d/pgvector.list
      apt-get update -qq
      mkdir -p /tmp/pgvector/source
      cd /tmp/pgvector
      apt-get source -qq -o APT::Sandbox::User=root --download-only pgvector
      tar -xf pgvector_*.orig.tar.* -C source --strip-components 1
      make -s -C source "PG_CONFIG=/usr/lib/postgresql/$2/bin/pg_config" OPTFLAGS= with_llvm=no
      make -s -C source "PG_CONFIG=/usr/lib/postgresql/$2/bin/pg_config" with_llvm=no install
      rm -rf /tmp/pgvector /etc/apt/sources.list.d/pgvector.list
    ' bash "$(apt_uri)" "$major" >>"$log" 2>&1 || die "building pgvector failed" "$(tail -n 5 "$log")"
  fi
  mv "$root.partial" "$root"
fi

# Build scripts and macros that were linked on this machine must run inside. They do where the root is as new as the machine
# or newer; else everything is built anew in a folder of its own.
target="${CARGO_TARGET_DIR:-$repo/target}"
if [ "$(. /etc/os-release && echo "$VERSION_ID")" -gt "$number" ]; then target="$target/debian-$number"; fi
mkdir -p "$target"
binds=("$repo" "$state" "$target" "${CARGO_HOME:-$HOME/.cargo}" "${RUSTUP_HOME:-$HOME/.rustup}" "$(rustc --print sysroot)")
if [ -n "${CODECITE_TALLY:-}" ]; then binds+=("$CODECITE_TALLY"); fi
existing=()
for bind in "${binds[@]}"; do [ ! -e "$bind" ] || existing+=("$bind"); done
binds=("${existing[@]}")
in_root "$root" env -C "$repo" CARGO_TARGET_DIR="$target" "$@"
