#!/usr/bin/env bash
# From nothing to answers: set up, build, start, load the sample codes (and the New York City PDF where it is), ask five
# questions, and print what to paste into an agent. Everything can be run again; loaded documents are recognised.
. "$(dirname "$0")/lib.sh"

"$scripts/packages.sh"
"$scripts/postgres.sh"
"$scripts/models.sh"
"$scripts/install.sh"
"$scripts/server.sh" up
eval "$("$scripts/server.sh" env)"

psql=("$PG_BINDIR/psql" -X -q -v ON_ERROR_STOP=1)
right=0
asked=0

# ingest FILE CORPUS LAYER [NAMED ARGUMENTS…]: the bytes go over the connection, so the server needs no access to the file.
# A document that is there already is left as it is.
ingest() {
  local file="$1" corpus="$2" layer="$3" more="${4:-}" name
  name="$(basename "$file")"
  if [ "$("${psql[@]}" -A -t -v corpus="$corpus" -v document="${name%.*}" <<'SQL'
select count(*) from codecite.documents() where corpus = :'corpus' and document = :'document';
SQL
  )" != 0 ]; then
    note "$name: there"
    return
  fi
  {
    # psql reads a variable's value from a command; a big file does not fit into a command line, so it goes through a table.
    echo "create temporary table file (part int generated always as identity, content text);"
    echo "copy file (content) from stdin;"
    base64 -w 65536 "$file"
    echo '\.'
    cat <<SQL
select document, profile, pages, sections, tables, exceptions, definitions, chunks, embedded from codecite.ingest(
  content => decode((select string_agg(content, '' order by part) from file), 'base64'),
  corpus => :'corpus', layer => :'layer', filename => :'filename' $more);
SQL
  } | "${psql[@]}" -P pager=off -P footer=off -v corpus="$corpus" -v layer="$layer" -v filename="$name" ||
    die "could not load $file" "The lines above say why."
}

use_model() {
  "${psql[@]}" -A -t -v model="$model_name" <<'SQL' >/dev/null || die "the model could not be used" "The lines above say why."
select codecite.add_model(:'model'), codecite.use_model(:'model');
SQL
}

# question TEXT CORPUS EXPECTED-NUMBER: prints the answer and whether the right section came first.
question() {
  local text="$1" corpus="$2" expected="$3" first
  printf '\n\033[1m? %s\033[0m\n' "$text"
  "${psql[@]}" -P pager=off -v question="$text" -v corpus="$corpus" <<'SQL'
select rank, citation, passage from codecite.ask(:'question', 2, array[:'corpus']);
SQL
  first="$("${psql[@]}" -A -t -v question="$text" -v corpus="$corpus" <<'SQL'
select number from codecite.search(:'question', array[:'corpus']) order by rank limit 1;
SQL
  )"
  asked=$((asked + 1))
  if [ "$first" = "$expected" ]; then
    right=$((right + 1))
  else
    note "expected $expected first, got ${first:-nothing}"
  fi
}

load() {
  say "Loading the sample codes (embedding takes a minute the first time)"
  ingest "$repo/samples/model-building-code.md" model-code base ", edition => '2024', corpus_title => 'Model Building Code'"
  ingest "$repo/samples/state-amendments.md" model-code amendment \
    ", title => 'State of Meridian Amendments', effective => '[2025-01-01,)'"
  ingest "$repo/samples/city-amendments.md" model-code amendment \
    ", title => 'City of Harborview Amendments', effective => '[2025-07-01,)'"
  ingest "$repo/samples/design-standard.md" design-standard base ", corpus_title => 'Aldermoor Studio Design Standard'"
  # The real code is not part of the repository; CODECITE_NYC names another place.
  nyc="${CODECITE_NYC:-$repo/../shared/corpora/nyc_title_28/nyc_title28_chapter3.pdf}"
  if [ -f "$nyc" ]; then
    ingest "$nyc" nyc-title-28 base ", corpus_title => 'NYC Administrative Code Title 28', title => 'Chapter 3'"
  fi
}

ask() {
  say "Asking"
  question "How wide does an ordinary door have to open clear?" model-code 1010.1.1
  question "section 1004.5.1" model-code 1004.5.1
  question "how high must a guard be" model-code 1015.2
  if [ -f "$nyc" ]; then
    question "How often must the outside walls of a tall building be examined?" nyc-title-28 28-302.2
    question "notice to the commissioner when a boiler is removed from use" nyc-title-28 28-303.9
  else
    question "How long may a dead-end corridor be?" model-code 1020.3
    question "how high may a classroom ceiling be" design-standard 2.2.3
  fi
}

connect() {
  say "To connect an agent, paste this into its MCP configuration (.mcp.json for Claude Code):"
  cat <<JSON
{
  "mcpServers": {
    "codecite": {
      "command": "$state/bin/codecite",
      "args": ["serve"],
      "env": { "CODECITE_DATABASE_URL": "$DATABASE_URL" }
    }
  }
}
JSON
}

use_model
load
ask
connect
say "$right of $asked questions had the right section first. Look around with: make psql"
[ "$right" = "$asked" ] || exit 1
