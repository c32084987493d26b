#!/usr/bin/env bash
# The command and the bridge against a real server with the extension: the command line, the official Python client over
# stdio and HTTP, hostile and long sessions, other makers' clients, TLS. Needs
#   CODECITE_DATABASE_URL (or DATABASE_URL)   a superuser's connection; the test makes databases of its own and drops them
#   CODECITE                                  the command (default: target/debug/codecite)
#   PG_BINDIR                                 where psql is, if not on the PATH
# TESTS="sessions.py clients.sh" runs some; commands.py always goes first, since the others ask about what it ingests.
# Skips, in words, where a client's package cannot be installed.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
repo="$(cd "$here/../.." && pwd)"

skip() { echo "SKIPPED: $*"; echo "0 passed, 0 failed"; exit 0; }

export CODECITE="${CODECITE:-$repo/target/debug/codecite}"
[ -x "$CODECITE" ] || { echo "there is no $CODECITE: cargo build -p codecite_mcp"; echo "0 passed, 1 failed"; exit 1; }
url="${CODECITE_DATABASE_URL:-${DATABASE_URL:-}}"
[ -n "$url" ] || skip "CODECITE_DATABASE_URL is not set"
psql="${PG_BINDIR:+$PG_BINDIR/}psql"
command -v "$psql" >/dev/null || skip "psql was not found; set PG_BINDIR"

venv="$repo/.codecite/venv"
if ! "$venv/bin/python" -c 'import mcp, jsonschema' 2>/dev/null; then
  python3 -m venv "$venv" 2>/dev/null && "$venv/bin/pip" install --quiet 'mcp>=2.3,<3' 'jsonschema>=4.26,<5' 2>/dev/null ||
    skip "the packages mcp and jsonschema could not be installed from PyPI"
fi

database="codecite_mcp_test_$$"
admin() { "$psql" -X -q -A -t -v ON_ERROR_STOP=1 "$url" "$@"; }
trap 'admin -c "DROP DATABASE IF EXISTS $database WITH (FORCE)" -c "DROP DATABASE IF EXISTS ${database}_init WITH (FORCE)" || true' EXIT
admin -c "CREATE DATABASE $database"
export PSQL="$psql" ADMIN_URL="$url" TEST_DATABASE="$database" PYTHON="$venv/bin/python"
status=0
for test in commands.py ${TESTS:-fetching.py tools.py ingesting.py hostile.py sessions.py clients.sh tls.sh}; do
  echo "== $test"
  case "$test" in
  *.py) "$PYTHON" "$here/$test" || status=1 ;;
  *) "$here/$test" || status=1 ;;
  esac
done
exit "$status"
