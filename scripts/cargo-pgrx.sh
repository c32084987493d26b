#!/usr/bin/env bash
# cargo-pgrx: builds the extension and writes its SQL. Its version must equal that of the pgrx crate, so it is kept in
# .codecite and leaves a person's own cargo-pgrx alone.
. "$(dirname "$0")/lib.sh"

version_of() { "$1" pgrx --version 2>/dev/null | sed -E 's/^[^0-9]*//'; }

for candidate in "$state/cargo/bin/cargo-pgrx" "$(command -v cargo-pgrx || true)"; do
  if [ -x "$candidate" ] && [ "$(version_of "$candidate")" = "$cargo_pgrx_version" ]; then
    say "cargo-pgrx $cargo_pgrx_version: there"
    exit 0
  fi
done
say "cargo-pgrx $cargo_pgrx_version: building it (some minutes, once)"
# Its own target folder, removed afterwards: otherwise cargo would use one in /tmp, which may be small.
CARGO_TARGET_DIR="$state/cargo/target" cargo install --locked --root "$state/cargo" --force \
  cargo-pgrx --version "$cargo_pgrx_version" ||
  die "could not build cargo-pgrx $cargo_pgrx_version" "The lines above say why. Run make setup again afterwards."
rm -rf "$state/cargo/target"
