# shellcheck shell=bash
# A server of a test's own, made anew and thrown away at the end. Sourced instead of common.sh, with OWN_SERVER=NAME set.
# A test that has more to undo defines `undo`, which runs when its server has stopped.

unset PGHOST PG_BINDIR
export CODECITE_SERVERS="${OWN_SERVER:?}"
server="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../scripts" && pwd -P)/server.sh"
# What a run that was cut off has left.
"$server" down >/dev/null 2>&1
rm -rf "$(dirname "$server")/../.codecite/$CODECITE_SERVERS"
"$server" up || exit 1
# shellcheck source=SCRIPTDIR/../common.sh
. "$(dirname -- "${BASH_SOURCE[0]}")/common.sh"
home="$repo/.codecite/$CODECITE_SERVERS/$PG_MAJOR"

# as_server COMMAND…: as the user who may run a server.
as_server() { bash -c '. "$1/scripts/lib.sh"; shift; as_server "$@"' bash "$repo" "$@"; }
stop() { "$server" down >/dev/null 2>&1; }
start() { "$server" up >/dev/null 2>&1; }

undo() { :; }
at_end() {
  local status=0
  (finish) || status=$?
  stop
  undo
  rm -rf "$repo/.codecite/${CODECITE_SERVERS:?}"
  exit "$status"
}
trap at_end EXIT
