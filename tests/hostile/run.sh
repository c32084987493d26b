#!/bin/sh
# Writes damaged and hostile PDFs from real ones and reads each with the PDF reader, on a small stack and within
# limits of time and memory. Skips, with a word about it, where Python or the shared files are missing.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
shared=${CODECITE_SHARED:-$root/../shared}
generator=$shared/tools/hostile_pdfs.py
corpora=$shared/corpora

command -v python3 >/dev/null || { echo "SKIPPED: no python3"; exit 0; }
[ -r "$generator" ] || { echo "SKIPPED: no $generator (set CODECITE_SHARED)"; exit 0; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
python3 "$generator" "$folder" \
    "$corpora/nyc_title_28/nyc_title28_chapter3.pdf" \
    "$corpora/uk_approved_documents/Approved_Document_H.pdf" \
    "$corpora/awkward/german_two_level.pdf"
cargo test --manifest-path "$root/Cargo.toml" -p codecite_core --test pdf --no-run
# The memory of the whole process, its threads' stacks and the test harness included, in kB.
ulimit -v "${CODECITE_HOSTILE_MEMORY_KB:-1500000}"
CODECITE_HOSTILE=$folder cargo test --manifest-path "$root/Cargo.toml" -p codecite_core --test pdf -- \
    hostile::every_file_of_a_folder --nocapture --test-threads=1
