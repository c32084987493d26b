#!/usr/bin/env bash
# How fast sections, chunks and references are made out of what was read, on one core and in a release build.
. "$(dirname "$0")/lib.sh"

cargo_env "$(chosen_pg_config)"
cd "$repo"
cargo build --quiet "${cargo_workspace[@]}" --release --example read
read="${CARGO_TARGET_DIR:-$repo/target}/release/examples/read"
shared="${CODECITE_SHARED:-$repo/../shared}"

long="$state/bench-6000-sections.md"
[ -f "$long" ] || python3 "$scripts/long-code.py" 6000 >"$long"
say "Structure, one core, release build (target: sections and chunks of 6,000 sections in 1 s)"
for file in "$long" "$shared"/corpora/*/*.{pdf,html,md,txt,docx}; do
  if [ -f "$file" ] && [ "$(basename "$file")" != README.md ]; then
    printf '%s: ' "$(basename "$file")"
    taskset -c 0 "$read" "$file" structure 3 || continue
  fi
done
