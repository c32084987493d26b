#!/usr/bin/env bash
# Every test on the default Postgres: Rust tests, SQL tests, the other tests with a server, lint. A failure does not keep
# the rest from running; the last line counts.
#
# Other tests are every executable tests/*/run.sh and tests/*.py: they get PGHOST, PGPORT, PGUSER, DATABASE_URL, PG_BINDIR,
# PG_CONFIG and CODECITE (the command), and say "N passed, N failed" in their last lines or count as one test.
. "$(dirname "$0")/lib.sh"

"$scripts/packages.sh"
"$scripts/postgres.sh"
"$scripts/models.sh"

export CODECITE_TALLY="${CODECITE_TALLY:-$(mktemp)}"
log="$state/test.log"
# Adds up lines such as "test result: ok. 12 passed; 0 failed" or "3 passed, 1 failed" in the log; none: by exit code.
count() {
  local what="$1" status="$2" passed failed
  passed="$(sed -nE 's/.*(^|[^0-9])([0-9]+) passed[;,] [0-9]+ failed.*/\2/p' "$log" | awk '{ n += $1 } END { print n + 0 }')"
  failed="$(sed -nE 's/.*[0-9]+ passed[;,] ([0-9]+) failed.*/\1/p' "$log" | awk '{ n += $1 } END { print n + 0 }')"
  # A test that says that it skips has not passed.
  if [ "$status" = 0 ] && [ $((passed + failed)) = 0 ] && ! grep -q '^SKIPPED' "$log"; then passed=1; fi
  if [ "$status" != 0 ] && [ "$failed" = 0 ]; then failed=1; fi
  tally "$what" "$passed" "$failed"
}
# run WHAT COMMAND…
run() {
  local what="$1" status=0
  shift
  say "Test: $what"
  "$@" 2>&1 | tee "$log" || status=$?
  count "$what" "$status"
}

pg_config="$(chosen_pg_config)"
cargo_env "$pg_config"
cd "$repo"
run "cargo test" cargo test --no-fail-fast "${cargo_workspace[@]}"

if "$scripts/install.sh" && "$scripts/server.sh" up; then
  "$scripts/regress.sh" || true # it tallies
  eval "$("$scripts/server.sh" env)"
  export CODECITE="$state/bin/codecite"
  for file in tests/*/run.sh tests/*.py; do
    [ ! -x "$file" ] || run "$file" "$file"
  done
else
  tally "install and start" 0 1
fi

run "lint" "$scripts/lint.sh"
"$scripts/tally.sh"
