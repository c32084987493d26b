#!/usr/bin/env bash
# System packages: what the Rust build and the scripts need beyond Rust itself. Nothing is installed that is there already.
. "$(dirname "$0")/lib.sh"

missing=()
# need PACKAGE COMMAND: the package, unless the command is there.
need() { have "$2" || missing+=("$1"); }

have cargo || die "Rust is not installed" "Install Rust 1.95 or newer (rustup, or your distribution's package), then run make setup again."

need build-essential cc
need build-essential make
need pkg-config pkg-config
need clang clang # pgrx reads the server's headers with libclang
need git git
need diffutils diff    # pg_regress compares with it
need util-linux setpriv # to leave root for the server
need python3 python3
have python3 && ! python3 -m pip --version >/dev/null 2>&1 && missing+=(python3-pip) # fetches and unpacks the pinned wheels
have python3 || missing+=(python3-pip)
compgen -G '/usr/lib/*/libclang[.-][0-9s]*' >/dev/null || compgen -G '/usr/lib/llvm-*/lib/libclang[.-][0-9s]*' >/dev/null ||
  missing+=(libclang-dev)

if [ ${#missing[@]} -eq 0 ]; then
  say "System packages: all there"
  exit 0
fi
mapfile -t missing < <(printf '%s\n' "${missing[@]}" | sort -u)

have apt-get || die "these packages are missing: ${missing[*]}" \
  "This machine has no apt-get: install the same tools with its own package manager, then run make setup again."
say "System packages: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
as_root apt-get update -qq
as_root apt-get install -qq -y --no-install-recommends "${missing[@]}" >/dev/null
