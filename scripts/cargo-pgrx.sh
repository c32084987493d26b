#!/usr/bin/env bash
# cargo-pgrx: builds the extension and writes its SQL. Its version must equal that of the pgrx crate, so it is kept in
# .codecite and leaves a person's own cargo-pgrx alone.
. "$(dirname "$0")/lib.sh"

# `|| true` below: no cargo-pgrx, or one that does not run, is no version, and then it is built.
version_of() { "$1" pgrx --version 2>/dev/null | sed -E 's/^[^0-9]*//'; }

if [ "$(version_of "$state/cargo/bin/cargo-pgrx" || true)" = "$cargo_pgrx_version" ]; then
  say "cargo-pgrx $cargo_pgrx_version: there"
  exit 0
fi
own="$(command -v cargo-pgrx || true)"
if [ -n "$own" ] && [ "$(version_of "$own" || true)" = "$cargo_pgrx_version" ]; then
  # Copied, because the Debian roots of the matrix see .codecite and not the machine.
  say "cargo-pgrx $cargo_pgrx_version: taking $own"
  mkdir -p "$state/cargo/bin"
  install -m 755 "$own" "$state/cargo/bin/cargo-pgrx.partial"
  mv "$state/cargo/bin/cargo-pgrx.partial" "$state/cargo/bin/cargo-pgrx"
  exit 0
fi
say "cargo-pgrx $cargo_pgrx_version: building it (some minutes, once)"
# Its own target folder, removed afterwards: otherwise cargo would use one in /tmp, which may be small. Without its default
# features, which only add OpenSSL (and its headers as one more system package) for downloads that we never make.
# Not optimised and without debugging information: that takes half the time, and it only copies files and reads one section.
CARGO_PROFILE_DEV_DEBUG=0 CARGO_TARGET_DIR="$state/cargo/target" cargo install --debug --quiet --locked --root "$state/cargo" --force --no-default-features \
  cargo-pgrx --version "$cargo_pgrx_version" ||
  die "could not build cargo-pgrx $cargo_pgrx_version" "The lines above say why. Run make setup again afterwards."
rm -rf "$state/cargo/target"
