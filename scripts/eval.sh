#!/usr/bin/env bash
# Quality of answers on golden questions, in a database of its own: our samples, and where the folder with real codes is
# (CODECITE_SHARED, default ../shared) six of these, which take ten minutes to embed. evals/README.md says how things count.
#
# `eval.sh` prints every mode with the default model; `eval.sh gate` prints and checks the gates with the hash model only,
# which needs no download: what CI runs. REPORT=1 also measures the naive baseline of the real codes (ten more minutes)
# and writes the figures and the plot in docs/EVALS.md anew.
. "$(dirname "$0")/lib.sh"

eval "$("$scripts/server.sh" env)"
shared="${CODECITE_SHARED:-$repo/../shared}"
fresh_database codecite_eval
gate="${1:-}"
[ "$gate" = gate ] || use_default_model

codecite="${CODECITE:-$state/bin/codecite}"
load() { "$codecite" ingest "$@" >/dev/null; }
say "Loading"
load "$repo/samples/model-building-code.md" --corpus model-code --corpus-title 'Model Building Code' --edition 2024
load "$repo/samples/state-amendments.md" --corpus model-code --layer amendment --title 'State of Meridian Amendments' --effective 2025-01-01
load "$repo/samples/city-amendments.md" --corpus model-code --layer amendment --title 'City of Harborview Amendments' --effective 2025-07-01
load "$repo/samples/design-standard.md" --corpus design-standard

# A gate that does not hold (exit code 4) fails the run at its end, when everything has been shown.
failed=()
measure() {
  local what="$1" status=0
  shift
  say "$what"
  "$codecite" eval "$@" || status=$?
  case "$status" in 0) ;; 4) failed+=("$what") ;; *) die "$what: could not be measured" ;; esac
}
settle() {
  [ ${#failed[@]} -eq 0 ] || die "gates that do not hold: $(printf '%s. ' "${failed[@]}")"
  say "Gates held"
}

if [ "$gate" = gate ]; then
  measure "Samples, model hash (hybrid hit@5 >= 0.75)" "$repo/evals/samples.yaml" --modes hybrid --misses --fail-under hit@5=0.75
  measure "More about the samples, model hash (hybrid hit@5 >= 0.80)" "$repo/evals/samples-more.yaml" --modes hybrid --fail-under hit@5=0.80
  settle
  exit
fi
measure "Samples (hybrid hit@5 >= 0.95)" "$repo/evals/samples.yaml" --modes naive,lexical,vector,hybrid --fail-under hit@5=0.95
measure "More about the samples (hybrid hit@5 >= 0.90)" "$repo/evals/samples-more.yaml" --modes naive,lexical,vector,hybrid --fail-under hit@5=0.90
score() { python3 "$repo/evals/score.py" "$@"; }
if [ -d "$shared/golden" ]; then
  say "Structure of real codes (gate for each, when it is finished: 0.99)"
  cargo_env "$(chosen_pg_config)"
  (cd "$repo" && cargo build --quiet "${cargo_workspace[@]}" --example read)
  export READ="${CARGO_TARGET_DIR:-$repo/target}/debug/examples/read" CODECITE_SHARED="$shared"
  python3 "$repo/evals/structure.py"
  say "Amending instructions of real codes (gate, when it is finished: 0.95)"
  python3 "$repo/evals/amendments.py"
  say "Georgia Code, Title 8: what changed between two releases (gate: the law's changes and no other)"
  for release in 83 86; do
    load "$shared/corpora/georgia_title_8/ocga_title08_r$release.html" --corpus "ga-r$release" --no-embed
  done
  score editions ga-r83 ga-r86 "$shared/golden/ga-title-8.editions.jsonl"
fi
corpora="$shared/corpora"
if [ -d "$corpora" ]; then
  say "Loading six real codes"
  for chapter in "$corpora"/nyc_title_28/*.pdf; do load "$chapter" --corpus nyc-title-28 --corpus-title 'NYC Administrative Code Title 28'; done
  load "$corpora/us_doj_ada/2010-stds.md" --corpus ada-2010
  load "$corpora/us_doj_ada/title-iii-regulations.md" --corpus cfr-28-36
  load "$corpora/san_francisco/san_francisco-ca-1.txt" --corpus sf-bc-2022
  load "$corpora/uk_approved_documents/Approved_Document_B_vol_1-Content.pdf" --corpus uk-adb1
  load "$corpora/georgia_title_8/ocga_title08_r86.html" --corpus ga-title-8
  "$PG_BINDIR/psql" -X -q -v ON_ERROR_STOP=1 -c "call codecite.embed_pending()"
  score structure nyc-title-28 "$shared/golden/nyc-title-28.structure.jsonl"
  files=()
  for name in ada-2010 cfr-28-36 nyc-title-28 sf-bc-2022 uk-adb1 ga-title-8; do files+=("$shared/golden/$name.dev.yaml"); done
  modes=lexical,vector,hybrid report=()
  [ -z "${REPORT:-}" ] || { modes="naive,$modes" && report=(--report "$repo/docs/EVALS.md"); }
  measure "Questions about six real codes (mean, hybrid: hit@1 >= 0.60, hit@5 >= 0.85, MRR >= 0.70)" "${files[@]}" --modes "$modes" "${report[@]}" \
    --fail-under hit@1=0.60,hit@5=0.85,mrr=0.70
  measure "Public questions about two of them (no gate)" "$repo"/evals/public/*.yaml
else
  note "SKIPPED: the real codes are not at $shared"
  [ -z "${REPORT:-}" ] || note "SKIPPED: docs/EVALS.md has the figures of the real codes, and stays as it is"
fi
settle
