#!/usr/bin/env bash
# From nothing to answers: set up, build, start, load the sample codes (and the New York City PDF where it is), ask five
# questions, and print what to paste into an agent. Everything can be run again; loaded documents are recognised.
. "$(dirname "$0")/lib.sh"

"$scripts/packages.sh"
"$scripts/postgres.sh"
"$scripts/cargo-pgrx.sh"
"$scripts/models.sh"
"$scripts/install.sh"
"$scripts/server.sh" up
eval "$("$scripts/server.sh" env)"

psql=("$PG_BINDIR/psql" -X -q -v ON_ERROR_STOP=1)
right=0
asked=0

# ingest FILE CORPUS LAYER [NAMED ARGUMENTS…]: the bytes go over the connection, so the server needs no access to the file.
ingest() {
  local file="$1" corpus="$2" layer="$3" more="${4:-}"
  {
    # psql reads a variable's value from a command; a big file does not fit into a command line, so it goes through a table.
    echo "create temporary table file (part int generated always as identity, content text);"
    echo "copy file (content) from stdin;"
    base64 -w 65536 "$file"
    echo '\.'
    cat <<SQL
select document, edition, sections, chunks from codecite.ingest(
  content => decode((select string_agg(content, '' order by part) from file), 'base64'),
  corpus => :'corpus', layer => :'layer', filename => :'filename' $more);
SQL
  } | "${psql[@]}" -v corpus="$corpus" -v layer="$layer" -v filename="$(basename "$file")" ||
    die "could not load $file" "The lines above say why."
}

# question TEXT CORPUS EXPECTED-NUMBER: prints the answer and whether the right section came first.
question() {
  local text="$1" corpus="$2" expected="$3" first
  printf '\n\033[1m? %s\033[0m\n' "$text"
  "${psql[@]}" -P pager=off -v question="$text" -v corpus="$corpus" <<'SQL'
select rank, citation, passage from codecite.ask(:'question', array[:'corpus']) limit 3;
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
  say "Loading the sample codes"
  ingest "$repo/samples/model-building-code.md" model-code base ", edition => '2024'"
  ingest "$repo/samples/state-amendments.md" model-code amendment ", effective => '2025-01-01'"
  ingest "$repo/samples/city-amendments.md" model-code amendment ", effective => '2025-07-01'"
  ingest "$repo/samples/design-standard.md" design-standard base
  # The real code is not part of the repository; CODECITE_NYC names another place.
  nyc="${CODECITE_NYC:-$repo/../shared/corpora/nyc_title_28/nyc_title28_chapter3.pdf}"
  if [ -f "$nyc" ]; then ingest "$nyc" nyc-title-28 base ", title => 'NYC Administrative Code Title 28, Chapter 3'"; fi
}

ask() {
  say "Asking"
  question "How wide does an ordinary door have to open clear?" model-code 1010.1.1
  question "section 1004.5.1" model-code 1004.5.1
  question "How long may a dead-end corridor be?" model-code 1020.3
  question "how high must a guard be" model-code 1015.2
  if [ -f "$nyc" ]; then
    question "How often must an elevator be inspected and tested?" nyc-title-28 28-304.6.1
  else
    question "how many square feet per person in an ordinary office" model-code "Table 1004.5"
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
      "env": { "DATABASE_URL": "$DATABASE_URL" }
    }
  }
}
JSON
}

load
ask
connect
say "$right of $asked questions had the right section first. Look around with: make psql"
[ "$right" = "$asked" ] || exit 1
