#!/usr/bin/env bash
# How fast the readers are, on one core and in a release build, beside pdftotext and pymupdf where they are installed. The real
# codes come from CODECITE_SHARED (../shared); a code of 1,500 pages is made up.
. "$(dirname "$0")/lib.sh"

cargo_env "$(chosen_pg_config)"
cd "$repo"
cargo build --quiet "${cargo_workspace[@]}" --release --example read
read="${CARGO_TARGET_DIR:-$repo/target}/release/examples/read"
shared="${CODECITE_SHARED:-$repo/../shared}"
packages="$state/python/fidelity" # what tests/fidelity/run.sh installs
one_core() { taskset -c 0 "$@"; }

# pdf_peers FILE: the fastest of three, whole process
pdf_peers() {
  if have pdftotext; then
    printf '    pdftotext -layout %s\n' "$(fastest pdftotext -layout "$1" /dev/null)"
  else
    echo "    pdftotext: not installed (Debian package poppler-utils)"
  fi
  if PYTHONPATH="$packages" python3 -c 'import pymupdf' 2>/dev/null; then
    PYTHONPATH="$packages" one_core python3 - "$1" <<'PY'
import sys, time
import pymupdf
best = 1e9
for _ in range(3):
    start = time.perf_counter()
    with pymupdf.open(sys.argv[1]) as document:
        pages = len(document)
        for page in document:
            page.get_text("words")
    best = min(best, time.perf_counter() - start)
print(f"    pymupdf words {best * 1000:.1f} ms, {pages / best:.0f} pages/s")
PY
  else
    echo "    pymupdf: not installed (tests/fidelity/run.sh installs it)"
  fi
}
fastest() {
  local best=999999 began took
  for _ in 1 2 3; do
    began="$(date +%s%N)"
    one_core "$@" >/dev/null 2>&1
    took=$((($(date +%s%N) - began) / 1000000))
    [ "$took" -ge "$best" ] || best="$took"
  done
  echo "$best ms"
}

long="$state/bench-1500-pages.pdf"
[ -f "$long" ] || python3 "$scripts/long-pdf.py" "$repo/samples/model-building-code.md" 1500 >"$long"
say "Readers, one core, release build (targets: PDF 300 pages/s, Markdown 50 MB/s, HTML 15 MB/s; peak 4 x the file + 60 MB)"
for file in "$shared"/corpora/*/*.pdf "$long"; do
  [ -f "$file" ] || { note "SKIPPED: the real codes are not at $shared"; continue; }
  printf '%s: ' "$(basename "$file")"
  one_core "$read" "$file" time 5 || continue
  pdf_peers "$file"
done
for file in "$shared"/corpora/*/*.html "$shared"/corpora/*/*.md "$shared"/corpora/*/*.txt "$shared"/corpora/*/*.docx; do
  if [ -f "$file" ] && [ "$(basename "$file")" != README.md ]; then
    printf '%s: ' "$(basename "$file")"
    one_core "$read" "$file" time 5
  fi
done
