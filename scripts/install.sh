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

say "Building the extension for Postgres $major and the command codecite ($profile profile)"
profile_dir="$profile"
[ "$profile" = dev ] && profile_dir=debug
(cd "$repo" && cargo build "${cargo_workspace[@]}" --profile "$profile" >&2) ||
  die "the project did not build" "The lines above say why."
built="${CARGO_TARGET_DIR:-$repo/target}/$profile_dir"

# The stage is a root of its own: packages and images are made from it.
library_dir="$("$pg_config" --pkglibdir)"
extension_dir="$("$pg_config" --sharedir)/extension"
library="$stage$library_dir/codecite.so"
control="$stage$extension_dir/codecite.control"
version="$(sed -nE "s/^default_version *= *'([^']*)'.*/\1/p" "$repo/codecite_pg/codecite.control")"
rm -rf "$stage"
mkdir -p "${library%/*}" "${control%/*}"
cp "$built/libcodecite.so" "$library"
cp "$repo/codecite_pg/codecite.control" "$control"
"$built/codecite-schema" "$library" "$control" "$stage$extension_dir/codecite--$version.sql" >&2 ||
  die "the extension's SQL could not be written" "The line above says why."
[ "${1:-}" = build ] && exit 0

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
for file in "$stage$extension_dir"/*; do place "$file" "$extension_dir" 644; done
# Agents have it running: so by rename too, and not straight out of the build folder.
mkdir -p "$state/bin"
run=()
place "$built/codecite" "$state/bin" 755
say "Installed codecite in Postgres $major ($library_dir)"
