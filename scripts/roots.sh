# shellcheck shell=bash
# Debian roots of our own: how one is made, and how a command runs in it. Sourced after lib.sh, never run. Both need root.

# What in_root mounts: PATH, at the same place inside, or PATH|INSIDE, or PATH|INSIDE|ro.
binds=()
# in_root ROOT COMMAND…: with /dev, /proc and what stands in $binds, in namespaces of its own: mounts and processes end with
# the command. CODECITE_OWN_NETWORK=ADDRESS gives it a network of its own, too, with loopback and that address.
in_root() {
  local where="$1" unshare=(unshare --mount --pid --fork --kill-child)
  shift
  if [ -n "${CODECITE_OWN_NETWORK:-}" ]; then unshare+=(--net); fi
  # shellcheck disable=SC2016 # expanded by the inner shell
  "${unshare[@]}" bash -euc '
    root="$1" count="$2"
    shift 2
    mount --bind /dev "$root/dev"
    # Shared memory of its own, as large as that of the container in docker-compose.yml.
    mount -t tmpfs -o mode=1777,size=512m tmpfs "$root/dev/shm"
    mount -t proc proc "$root/proc"
    if [ -n "${CODECITE_OWN_NETWORK:-}" ]; then
      ip link set lo up
      ip address add "$CODECITE_OWN_NETWORK" dev lo
    fi
    while [ "$count" -gt 0 ]; do
      IFS="|" read -r from to how <<<"$1"
      to="$root${to:-$from}"
      if [ -d "$from" ]; then mkdir -p "$to"; else mkdir -p "$(dirname "$to")" && touch "$to"; fi
      mount --bind "$from" "$to"
      [ "$how" != ro ] || mount -o remount,bind,ro "$to"
      shift
      count=$((count - 1))
    done
    exec chroot "$root" "$@"
  ' bash "$where" "${#binds[@]}" "${binds[@]}" "$@"
}

# debian_root RELEASE FOLDER LOG: the smallest Debian, from where the machine's own packages come from.
debian_root() {
  have debootstrap || {
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends debootstrap >/dev/null
  }
  rm -rf "$2"
  mkdir -p "$2"
  debootstrap --variant=minbase --include=ca-certificates "$1" "$2" "$(apt_uri)" >"$3" 2>&1 ||
    die "debootstrap failed" "$(tail -n 5 "$3")"
  # No service is started in there, and no cluster made.
  printf '#!/bin/sh\nexit 101\n' >"$2/usr/sbin/policy-rc.d"
  chmod 755 "$2/usr/sbin/policy-rc.d"
  mkdir -p "$2/etc/postgresql-common"
  echo 'create_main_cluster = false' >"$2/etc/postgresql-common/createcluster.conf"
  cp -fL /etc/resolv.conf "$2/etc/resolv.conf"
  # What the downloads here take no part in being durable: dpkg's fsyncs are half of the time.
  echo force-unsafe-io >"$2/etc/dpkg/dpkg.cfg.d/unsafe-io"
}
