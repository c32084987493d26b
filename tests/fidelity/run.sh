#!/usr/bin/env bash
# Nothing lost, nothing invented, in order: what the readers make of real codes against an independent reader for each
# format, and against the gold of reading order, tables and tracked changes. Needs the folder with the real codes.
. "$(dirname "$0")/../common.sh"

shared="${CODECITE_SHARED:-$repo/../shared}"
corpora="$shared/corpora"
golden="$shared/golden"
if [ ! -d "$corpora" ]; then
  echo "SKIPPED: the real codes are not at $shared"
  finished=yes
  exit
fi
# The second reader of PDFs: without it their order is held against the file's own only, which is no bar worth the name.
if ! command -v pdftotext >/dev/null; then
  (. "$repo/scripts/lib.sh" && have apt-get && as_root apt-get install -qq -y --no-install-recommends poppler-utils) >/dev/null 2>&1 ||
    echo "SKIPPED: the order of PDFs by two readers (no pdftotext, and it could not be installed)"
fi
packages="$repo/.codecite/python/fidelity"
if [ ! -e "$packages/.complete" ] || [ "$repo/tests/fidelity/requirements.txt" -nt "$packages/.complete" ]; then
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --upgrade --target "$packages" \
    -r "$repo/tests/fidelity/requirements.txt" && touch "$packages/.complete" || exit 1
fi
export PYTHONPATH="$packages" PYTHONDONTWRITEBYTECODE=1
# The same choice of packages as everywhere, so that nothing is compiled twice.
(. "$repo/scripts/lib.sh" && cargo_env "$(chosen_pg_config)" && cd "$repo" &&
  cargo build --quiet "${cargo_workspace[@]}" --example read) || exit 1
target="${CARGO_TARGET_DIR:-$repo/target}"
export CARGO_TARGET_DIR="$target"

cd "$repo/tests/fidelity" || exit 1
# compare WHAT COMMAND…
compare() {
  local what="$1"
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "not ok: $what"
  fi
}
files() { find "$corpora" -name "*.$1" | sort; }
mapfile -t pages < <(files html)
mapfile -t markdown < <(files md | grep -v README)
mapfile -t text < <(files txt)
compare "PDF text" python3 pdf.py
compare "PDF reading order" python3 pdf_order.py
compare "PDF tables" python3 pdf_tables.py
compare "HTML text" python3 html.py "${pages[@]}"
compare "Markdown text" python3 markdown.py "${markdown[@]}" "$repo"/samples/*.md
compare "plain text" python3 text.py "${text[@]}"
for file in "$corpora"/bc_building_code/*.docx; do
  compare "DOCX text, tracked changes and tables" python3 docx.py "$file" --read "$target/debug/examples/read" --tracked "$golden/bc-part3.tracked.jsonl" \
    --tables "$golden/bc-part3.tables.jsonl" --structure "$golden/bc-part3.structure.jsonl"
done
finished=yes
