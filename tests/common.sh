# shellcheck shell=bash
# What the shell tests share: the connection, databases of their own, and counting. Sourced, never run. scripts/test.sh
# hands over PGHOST, PGPORT, PGUSER and PG_BINDIR; alone, a test asks scripts/server.sh.

set -uo pipefail
repo="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)"
if [ -z "${PGHOST:-}" ] || [ -z "${PG_BINDIR:-}" ]; then eval "$("$repo/scripts/server.sh" env)"; fi
unset PGDATABASE PGOPTIONS
export PGAPPNAME=codecite-test

work="$(mktemp -d)"
databases=()
passed=0
failed=0

# sql DATABASE [PSQL ARGUMENTS…]: rows without decoration.
sql() {
  local database="$1"
  shift
  "$PG_BINDIR/psql" -X -q -A -t -v ON_ERROR_STOP=1 -d "$database" "$@"
}

# new_database NAME: made anew with both extensions, dropped at the end.
new_database() {
  databases+=("$1")
  sql postgres -c "set client_min_messages = warning" -c "drop database if exists $1 with (force)" -c "create database $1"
  sql "$1" -c "create extension vector" -c "create extension codecite"
}

# load_sample DATABASE FILE CORPUS LAYER [EMBED]: ingests a file of samples/ through SQL.
load_sample() {
  {
    echo "create temporary table file (part int generated always as identity, content text);"
    echo "copy file (content) from stdin;"
    base64 -w 65536 "$repo/samples/$2"
    echo '\.'
    echo "select from codecite.ingest(decode((select string_agg(content, '' order by part) from file), 'base64'), '$3', '$4', filename => '$2', embed => ${5:-true}) \\g /dev/null"
  } | sql "$1"
}

# nearest DATABASE MODEL MOST-CHUNKS-COMPARED-ONE-BY-ONE SCORE [SQL]: what is nearest to a question by that model, each with
# the expression SCORE, after SQL was run; and whether an index was used, which is asked of the transaction that used it.
nearest() {
  sql "$1" <<SQL
select codecite.embed('how long may a dead end be', 'query')::real[] as question \\gset
begin;
select codecite.use_model('$2') \\g /dev/null
set local codecite.exact_search_max_chunks = $3;
${5:-}
select citation, $4 from codecite.search('', k => 5, mode => 'vector', query_vector => :'question'::real[]);
select 'index: ' || coalesce(bool_or(pg_stat_get_xact_numscans(indexrelid) > 0), false) from pg_index where indexrelid::regclass::text like '%embedding\_model\_%';
rollback;
SQL
}

# check WHAT EXPECTED FOUND
check() {
  if [ "$2" = "$3" ]; then
    passed=$((passed + 1))
    echo "ok: $1"
  else
    failed=$((failed + 1))
    echo "not ok: $1"
    echo "  expected: $2"
    echo "  found:    $3"
  fi
}

# check_at_most WHAT LIMIT FOUND: for milliseconds.
check_at_most() { check "$1 (limit $2, found $3)" yes "$([ "$3" -le "$2" ] && echo yes || echo no)"; }

milliseconds() { echo $(($(date +%s%N) / 1000000)); }

# Runs at the exit of every test: cleans up and prints the tally. A test that ends early counts as failed.
finished=no
finish() {
  local database
  for database in "${databases[@]}"; do
    sql postgres -c "set client_min_messages = warning" -c "drop database if exists $database with (force)" || true
  done
  rm -rf "$work"
  if [ "$finished" = no ]; then
    echo "the test ended early"
    failed=$((failed + 1))
  fi
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ] || exit 1
}
trap finish EXIT
