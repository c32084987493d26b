#!/usr/bin/env bash
# Writes damaged and hostile PDFs from real ones and reads each with the PDF reader, on a small stack and within
# limits of time and memory. Skips, with a word about it, where the shared files are missing.
. "$(dirname "$0")/../../scripts/lib.sh"

shared="${CODECITE_SHARED:-$repo/../shared}"
generator="$shared/tools/hostile_pdfs.py"
if [ ! -r "$generator" ]; then
  echo "SKIPPED: no $generator (set CODECITE_SHARED)"
  exit 0
fi
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT INT TERM
corpora="$shared/corpora"
python3 "$generator" "$folder" "$corpora/nyc_title_28/nyc_title28_chapter3.pdf" \
  "$corpora/uk_approved_documents/Approved_Document_H.pdf" "$corpora/awkward/german_two_level.pdf"
cargo_env "$(chosen_pg_config)"
cd "$repo"
cargo test --quiet "${cargo_workspace[@]}" --test pdf --no-run
# The memory of the whole process, its threads' stacks and the test harness included, in kB.
ulimit -v "${CODECITE_HOSTILE_MEMORY_KB:-1500000}"
CODECITE_HOSTILE=$folder cargo test "${cargo_workspace[@]}" --test pdf -- \
  hostile::every_file_of_a_folder --nocapture --test-threads=1
