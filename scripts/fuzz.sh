#!/usr/bin/env bash
# Coverage-guided fuzzing of the readers, CODECITE_FUZZ_SECONDS each (default 600). It needs a nightly compiler, which not
# every machine has; what `make test` runs instead are mutations of good files, without coverage.
#
# fuzz.sh [pdf|html|docx|markdown|text …]
. "$(dirname "$0")/lib.sh"

seconds="${CODECITE_FUZZ_SECONDS:-600}"
cargo +nightly --version >/dev/null 2>&1 ||
  die "fuzzing needs a nightly compiler" "rustup toolchain install nightly, where rustup may. Nothing else needs it."
cargo_fuzz="$state/cargo/bin/cargo-fuzz"
if [ ! -x "$cargo_fuzz" ]; then
  say "cargo-fuzz $cargo_fuzz_version: building it (once)"
  CARGO_TARGET_DIR="$state/cargo/target" cargo install --quiet --locked --root "$state/cargo" cargo-fuzz --version "$cargo_fuzz_version" ||
    die "could not build cargo-fuzz" "The lines above say why."
  rm -rf "$state/cargo/target"
fi

# seed TARGET FOLDER: small files to begin with, out of the samples; large ones are tried too slowly.
seed() {
  case "$1" in
    pdf) python3 "$scripts/long-pdf.py" "$repo/samples/model-building-code.md" 2 >"$2/two-pages.pdf" ;;
    docx)
      # head closes the pipe before unzip has written all: that is no failure.
      for file in "$repo"/samples/*.docx; do
        { unzip -p "$file" word/document.xml || true; } | head -c 12000 >"$2/$(basename "$file").xml"
      done
      cp -n "$repo/samples/city-amendments.docx" "$2"
      ;;
    html) split --bytes=8k "$repo/samples/model-building-code.html" "$2/html-" ;;
    *) split --bytes=8k "$repo/samples/model-building-code.md" "$2/md-" ;;
  esac
}

if [ $# -eq 0 ]; then set -- pdf html docx markdown text; fi
found=0
for target in "$@"; do
  corpus="$state/fuzz/$target"
  mkdir -p "$corpus" "$state/fuzz/crashes/$target"
  seed "$target" "$corpus"
  say "Fuzzing $target for $seconds s"
  # Without a word of its own cargo-fuzz takes whatever compiler is the default here.
  export RUSTUP_TOOLCHAIN=nightly CARGO_TARGET_DIR="$state/fuzz/target"
  (cd "$repo/codecite_core" && "$cargo_fuzz" fuzz build --fuzz-dir fuzz "$target") || die "the target $target could not be built"
  (
    cd "$repo/codecite_core"
    "$cargo_fuzz" fuzz run --fuzz-dir fuzz "$target" "$corpus" -- \
      -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=40000 -print_final_stats=1 \
      -artifact_prefix="$state/fuzz/crashes/$target/" 2>&1 | grep -E 'SUMMARY|ERROR|panicked|stat::|DONE|Test unit' || exit 1
  ) || found=1
  if [ -n "$(ls -A "$state/fuzz/crashes/$target")" ]; then
    note "$target: files that it failed on are in $state/fuzz/crashes/$target"
    found=1
  fi
done
exit "$found"
