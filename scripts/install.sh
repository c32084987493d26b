#!/usr/bin/env bash
# Builds the extension and installs it into the chosen Postgres (PG_CONFIG overrides). `install.sh build` only builds.
#
# Building never needs root. The files are then put into Postgres' own folders one by one with a rename: running backends
# keep the library that they mapped, new ones get the new one; copying over a mapped library would crash them. Where those
# folders belong to root (a packaged Postgres) that last step runs through sudo.
#
# CODECITE_PROFILE=dev (default, quick to build, dependencies optimised) or release.
. "$(dirname "$0")/lib.sh"

pg_config="$(chosen_pg_config)"
major="$(pg_major "$pg_config")"
profile="${CODECITE_PROFILE:-dev}"
stage="$state/stage/$major"
cargo_env "$pg_config"

say "Building the extension for Postgres $major ($profile profile)"
rm -rf "$stage"
mkdir -p "$stage"
# cargo-pgrx picks the package by the working folder.
(cd "$repo/codecite_pg" && cargo pgrx package --profile "$profile" --pg-config "$pg_config" --out-dir "$stage" \
  --no-default-features --features "pg$major" >&2) ||
  die "the extension did not build" "The lines above say why."

library="$(find "$stage" -name codecite.so)"
script="$(find "$stage" -name 'codecite--*.sql' | head -n 1)"
# The SQL comes from a section of the library that a linker may drop (see cargo_env): then the functions would be missing.
grep -q 'version_wrapper' "$script" || die "the extension's SQL is not whole: $script" \
  "If the linker dropped the section .pgrxsc, run again with CARGO_PGRX_DISABLE_GC_SECTIONS_WORKAROUND unset."

# The command `codecite` (operator commands and the bridge for agents).
say "Building the command codecite"
profile_dir="$profile"
[ "$profile" = dev ] && profile_dir=debug
(cd "$repo" && cargo build --quiet --locked --profile "$profile" --package codecite_mcp --bin codecite >&2) ||
  die "the command codecite did not build" "The lines above say why."
[ "${1:-}" = build ] && exit 0

library_dir="$("$pg_config" --pkglibdir)"
extension_dir="$("$pg_config" --sharedir)/extension"
run=()
if [ ! -w "$library_dir" ] || [ ! -w "$extension_dir" ]; then
  note "$library_dir belongs to root: installing with sudo"
  run=(as_root)
fi
# place FILE FOLDER: a rename within one folder is atomic. The same file again is left alone.
place() {
  local target="$2/${1##*/}"
  cmp -s "$1" "$target" && return
  "${run[@]}" install -m "$3" "$1" "$target.partial"
  "${run[@]}" mv -f "$target.partial" "$target"
}
place "$library" "$library_dir" 755
while read -r file; do place "$file" "$extension_dir" 644; done < <(find "$stage" -name 'codecite*.sql' -o -name codecite.control)
# Agents have it running: so by rename too, and not straight out of the build folder.
mkdir -p "$state/bin"
run=()
place "${CARGO_TARGET_DIR:-$repo/target}/$profile_dir/codecite" "$state/bin" 755
say "Installed codecite in Postgres $major ($library_dir)"
