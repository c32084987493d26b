#!/usr/bin/env bash
# `codecite eval` on a real server: figures that can be worked out by hand, exit codes, errors, the baseline asked by a role
# that may only read, reports.
# shellcheck source=SCRIPTDIR/../common.sh
. "$(dirname "$0")/../common.sh"
codecite="${CODECITE:-$repo/target/debug/codecite}"
database=codecite_test_eval
reader=codecite_test_eval_reader
new_database "$database"
ask() { env -u CODECITE_DATABASE_URL PGDATABASE="$database" "$codecite" "$@"; }
# status WHAT EXPECTED ARGUMENTS…: the exit code of `eval`; what it printed is in $work/out.
status() {
  local what="$1" expected="$2" found=0
  shift 2
  ask eval "$@" >"$work/out" 2>&1 || found=$?
  check "$what" "$expected" "$found"
}
says() { check "$1" yes "$(grep -qF -- "$2" "$work/out" && echo yes || cat "$work/out")"; }
# figure MODE MEASURE FILE: the mean in a JSON answer
figure() {
  python3 - "$@" <<'PYTHON'
import json, sys
mode, measure, path = sys.argv[1:]
modes = {m["mode"]: m["mean"]["figures"] for m in json.load(open(path))["summary"]["modes"]}
print(modes[mode][measure]["value"] if measure in modes[mode] else "none")
PYTHON
}

ask ingest "$repo/samples/model-building-code.md" --corpus model-code >/dev/null
cat >"$work/first.yaml" <<'YAML'
# The number itself, one below what is expected, one that is not expected at all, and one that is nowhere.
- id: exact
  question: section 1004.5.1
  corpus: model-code
  expected_sections: ["1004.5.1"]
  tags: [exact-number]
- id: below
  question: section 1004.5.1
  corpus: model-code
  expected_sections: ["1004.5"]
  tags: [exact-number]
- id: wrong
  question: section 1004.5.1
  corpus: model-code
  expected_sections: ["99999.9"]
  split: test
- id: nowhere
  question: section 99999.9
  corpus: model-code
  expected_sections: []
YAML
sed -n '1,6p' "$work/first.yaml" >"$work/second.yaml"

status "an answer is measured" 0 "$work/first.yaml" --modes naive,lexical,vector,hybrid --json
cp "$work/out" "$work/all.json"
sed -i '/^naive baseline/d' "$work/all.json"
check "1, a half and 0 credit are .5" 0.5 "$(figure hybrid hit@1 "$work/all.json")"
check "half credit at rank 1 is half a reciprocal rank" 0.5 "$(figure hybrid mrr "$work/all.json")"
check "what is nowhere is abstained from" 1.0 "$(figure hybrid abstain "$work/all.json")"
check "the baseline gives no verdict" none "$(figure naive abstain "$work/all.json")"
status "files are measured" 0 "$work/first.yaml" "$work/second.yaml" --json
check "each file counts once" 0.75 "$(figure hybrid hit@1 "$work/out")"
mkdir "$work/again" && cp "$work/first.yaml" "$work/again/"
status "files of the same name are measured" 0 "$work/first.yaml" "$work/again/first.yaml" --modes lexical
says "they go by their paths" "$work/again/first.yaml  lexical"
status "a split is measured" 0 "$work/first.yaml" --split test --json
check "only its questions count" 0.0 "$(figure hybrid hit@1 "$work/out")"

file="$work/first.yaml"
status "a lower limit that holds" 0 "$file" --fail-under hit@1=0.5 --fail-under lexical:hit@1=0.5,abstain=1
status "a lower limit that does not" 4 "$file" --fail-under hit@1=0.5,hit@1=0.51
says "it is named" "FAILS: hybrid hit@1 0.500, at least 0.51"
status "an upper limit that holds" 0 "$file" --fail-over hit@1=0.5
status "an upper limit that does not" 4 "$file" --fail-over mrr=0.49
status "a limit of what was not measured" 4 "$file" --fail-over quote@5=1
status "a limit of a mode that is not asked" 1 "$file" --fail-under naive:hit@1=0.1
status "a limit of no measure" 2 "$file" --fail-under hit@2=0.5
status "misses are listed" 0 "$file" --modes hybrid --misses
says "with what came instead" "wrong: section 1004.5.1 Expected 99999.9; came 1004.5.1"

sed 's/corpus: model-code/corpus: model-cod/' "$file" >"$work/typo.yaml"
status "an unknown corpus" 1 "$work/typo.yaml"
says "the corpora that there are" "There are: model-code"
sed 's/expected_sections: \["1004.5"\]/expected_sections: [1004.50]/' "$file" >"$work/number.yaml"
status "a number without quotes" 1 "$work/number.yaml"
says "file, entry and field" "number.yaml, entry 2 (below): field expected_sections: a number without quotes"
printf -- '- id: a\n\tquestion: b\n' >"$work/tab.yaml"
status "a tab" 1 "$work/tab.yaml"
says "its line" "tab.yaml, line 2: begins with a tab"

# A role that may only read runs all of it, and nothing is left behind.
count() { sql "$database" -c "select (select count(*) from codecite.embedding), (select count(*) from pg_class where relkind = 'r')"; }
sql "$database" -c "set client_min_messages = warning" -c "drop role if exists $reader" -c "create role $reader login"
sql "$database" -c "select codecite.grant_read('$reader')" >/dev/null
before="$(count)"
PGUSER="$reader" status "a role that may only read" 0 "$file" --modes naive,lexical,vector,hybrid
check "nothing is left behind" "$before" "$(count)"
sql "$database" -c "drop owned by $reader" -c "drop role $reader"

# The same but for times; another seed moves the intervals, not the figures.
timeless() { grep -v '_ms"\|^naive baseline' "$1"; }
status "again" 0 "$file" --modes naive,lexical,vector,hybrid --json
check "the same seed gives the same answer" "$(timeless "$work/all.json")" "$(timeless "$work/out")"
status "reported" 0 "$file" --modes naive,hybrid --report "$work/report.md"
check "the plot is XML" yes "$(python3 -c "import sys, xml.dom.minidom as x; x.parse(sys.argv[1]); print('yes')" "$work/report.svg")"
check "the report shows it" 1 "$(grep -c '(report.svg)' "$work/report.md")"
# All but the section with times.
report() { sed '/^### Times/,/^### Reproduce/d' "$work/report.md"; }
first="$(report)"
status "reported again" 0 "$file" --modes naive,hybrid --report "$work/report.md"
check "the report is the same but for times" "$first" "$(report)"
echo "Another text." >"$work/other.md"
status "another text is not overwritten" 1 "$file" --report "$work/other.md"
check "it stays" "Another text." "$(cat "$work/other.md")"
# shellcheck disable=SC2034 # read by finish
finished=yes
