#!/usr/bin/env bash
# Runs a command in a Debian 13 root of our own with Postgres 17, its headers and pgvector, the machine's Rust toolchain and
# this checkout: for the version that this machine has no packages of. `debian13.sh COMMAND…`; needs root.
#
# The root lies in .codecite/debian-13. Checkout, build folder and toolchain are bind-mounted at their own paths, so what
# was built outside counts inside. Mounts and processes live in namespaces of their own and end with the command.
. "$(dirname "$0")/lib.sh"

root="$state/debian-13"
is_root || die "a Debian root can only be made and entered by root" "Run: sudo make matrix"

if [ ! -f "$root/etc/os-release" ]; then
  say "Making a Debian 13 root (some minutes, once)"
  have debootstrap || {
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends debootstrap >/dev/null
  }
  rm -rf "$root.partial"
  # Made beside its place and renamed, as everything here.
  debootstrap --variant=minbase --include=ca-certificates trixie "$root.partial" "$(apt_uri)" >"$state/debootstrap.log" 2>&1 ||
    die "debootstrap failed" "$(tail -n 5 "$state/debootstrap.log")"
  # No services are started in there.
  printf '#!/bin/sh\nexit 101\n' >"$root.partial/usr/sbin/policy-rc.d"
  chmod 755 "$root.partial/usr/sbin/policy-rc.d"
  cp -f /etc/resolv.conf "$root.partial/etc/resolv.conf"
  # shellcheck disable=SC2016 # expanded by the inner shell
  unshare --mount --pid --fork --kill-child bash -euc '
    mount --bind /dev "$1/dev"
    mount -t proc proc "$1/proc"
    export DEBIAN_FRONTEND=noninteractive
    chroot "$1" apt-get update -qq
    chroot "$1" apt-get install -qq -y --no-install-recommends build-essential pkg-config libclang-dev git \
      postgresql-17 postgresql-server-dev-17 postgresql-17-pgvector
  ' bash "$root.partial" >>"$state/debootstrap.log" 2>&1 || die "installing Postgres 17 failed" "$(tail -n 5 "$state/debootstrap.log")"
  mv "$root.partial" "$root"
fi

cargo_home="${CARGO_HOME:-$HOME/.cargo}"
rustup_home="${RUSTUP_HOME:-$HOME/.rustup}"
target="${CARGO_TARGET_DIR:-$repo/target}"
mkdir -p "$target"
binds=("$repo" "$state" "$target" "$cargo_home" "$rustup_home" "$(rustc --print sysroot)")
if [ -n "${CODECITE_TALLY:-}" ]; then binds+=("$CODECITE_TALLY"); fi

# shellcheck disable=SC2016 # expanded by the inner shell
unshare --mount --pid --fork --kill-child bash -euc '
  root="$1" count="$2" where="$3"
  shift 3
  mount --bind /dev "$root/dev"
  mount -t proc proc "$root/proc"
  mount -t tmpfs tmpfs "$root/dev/shm" 2>/dev/null || true
  while [ "$count" -gt 0 ]; do
    if [ -d "$1" ]; then
      mkdir -p "$root$1"
      mount --bind "$1" "$root$1"
    elif [ -f "$1" ]; then
      mkdir -p "$(dirname "$root$1")"
      touch "$root$1"
      mount --bind "$1" "$root$1"
    fi
    shift
    count=$((count - 1))
  done
  exec chroot "$root" env -C "$where" "$@"
' bash "$root" "${#binds[@]}" "$repo" "${binds[@]}" "$@"
