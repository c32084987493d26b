#!/usr/bin/env bash
# SQL tests: every tests/pg_regress/sql/NAME.sql, its output compared with expected/NAME.out, in name order, in a database
# made anew for each run. `regress.sh [PG_CONFIG]`; TESTS="search_basic errors_pdf" runs some.
#
# To accept a new output: read the diff, then copy .codecite/regress/<major>/results/NAME.out to tests/pg_regress/expected.
#
# It drives pg_regress itself: `cargo pgrx regress` wants to own the server and cannot run as root.
. "$(dirname "$0")/lib.sh"

[ $# -eq 0 ] || export PG_CONFIG="$1"
pg_config="$(chosen_pg_config)"
eval "$("$scripts/server.sh" env)"
input="$repo/tests/pg_regress"
output="$state/regress/$PG_MAJOR"
database=codecite_regress

# Where a Postgres has pg_regress. The one of the wheel's Postgres 18 crashes; its 16 drives a server of any version.
pg_regress_of() { echo "$(dirname "$("$1" --pgxs)")/../test/regress/pg_regress"; }
pg_regress="$(pg_regress_of "$pg_config")"
case "$pg_config" in *"/$postgres_wheel-"*) pg_regress="$(pg_regress_of "$(PG_CONFIG='' "$scripts/postgres.sh" wheel 16)")" ;; esac
[ -x "$pg_regress" ] || pg_regress="$(pg_regress_of "$(PG_CONFIG='' "$scripts/postgres.sh" wheel 16)")"

if [ -n "${TESTS:-}" ]; then
  read -r -a tests <<<"$TESTS"
else
  tests=()
  for file in "$input"/sql/*.sql; do tests+=("$(basename "$file" .sql)"); done
fi

psql=("$PG_BINDIR/psql" -X -q -v ON_ERROR_STOP=1)
"${psql[@]}" -d postgres -c "set client_min_messages = warning" -c "drop database if exists $database with (force)" -c "create database $database"
"${psql[@]}" -d "$database" -c "create extension vector" -c "create extension codecite"

rm -rf "$output"
mkdir -p "$output"
say "SQL tests on Postgres $PG_MAJOR: ${#tests[@]} files"
# What could differ between machines and versions without being a fault: locale of messages, parallel plans, JIT.
export PGOPTIONS="-c lc_messages=C -c extra_float_digits=0 -c jit=off -c max_parallel_workers_per_gather=0 -c statement_timeout=120s"
log="$output/log"
if "$pg_regress" --use-existing --bindir="$PG_BINDIR" --inputdir="$input" --outputdir="$output" --dbname="$database" \
  --host="$PGHOST" --port="$PGPORT" --user="$PGUSER" "${tests[@]}" 2>&1 | tee "$log"; then
  failed=0
else
  # grep ends with 1 where it counts none; the next line knows what that means.
  failed="$(grep -cE '^not ok|\.\.\. FAILED' "$log" || true)"
  [ "$failed" -gt 0 ] || failed=${#tests[@]} # it did not run at all
  if [ -f "$output/regression.diffs" ]; then cat "$output/regression.diffs"; fi
fi
passed=$((${#tests[@]} - failed))
tally "pg_regress on Postgres $PG_MAJOR" "$passed" "$failed"
[ "$failed" = 0 ] || die "$failed of ${#tests[@]} SQL tests failed on Postgres $PG_MAJOR" "The differences are above and in $output/regression.diffs"
