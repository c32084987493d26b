#!/usr/bin/env bash
# Build, install and SQL tests on every supported Postgres major that is not the default one:
#
#   15   Debian 12's packages in a Debian 12 root of our own, with pgvector from source (see debian.sh)
#   16   the wheel
#   17   Debian 13's packages in a Debian 13 root of our own
#   18   the wheel, then pg_upgrade of a cluster from 16 (tests/upgrade)
#
# Nothing is installed on the machine itself but debootstrap. A leg that this machine cannot run is skipped loudly.
# `matrix.sh 15 18` runs some.
#
# All legs share one target folder: only the crates that know the Postgres version are built again. 17 comes last, because
# what a newer system links may not run on an older one.
. "$(dirname "$0")/lib.sh"

export CODECITE_TALLY="${CODECITE_TALLY:-$(mktemp)}"
# Servers of their own: never the databases that a person filled.
export CODECITE_SERVERS=matrix
default_major="$(PG_CONFIG='' pg_major "$(chosen_pg_config)")"

# leg PG_CONFIG: build, install, start a server of its own, run the SQL tests, remove the server.
leg() {
  local config="$1" status=0
  remove_server "$config"
  { PG_CONFIG="$config" "$scripts/install.sh" && PG_CONFIG="$config" "$scripts/server.sh" up &&
    PG_CONFIG="$config" "$scripts/regress.sh"; } || status=$?
  remove_server "$config"
  return "$status"
}
remove_server() {
  # The first time there is none to stop.
  PG_CONFIG="$1" "$scripts/server.sh" down >/dev/null 2>&1 || true
  rm -rf "${state:?}/${CODECITE_SERVERS:?}/$(pg_major "$1")"
}

leg_wheel() { leg "$("$scripts/postgres.sh" wheel "$1")"; }

# pg_upgrade from the wheel's 16 to its 18, when 18 is built; 16 may not be, or from older sources.
pg_upgrade() {
  local log passed failed status=0
  log="$(mktemp)"
  { PG_CONFIG="$("$scripts/postgres.sh" wheel 16)" "$scripts/install.sh" && bash "$repo/tests/upgrade/run.sh" 2>&1 | tee "$log" >&2; } || status=$?
  read -r passed failed < <(sed -nE 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$log") || true
  if [ "$status" != 0 ] && [ "${failed:-0}" = 0 ]; then failed=1; fi
  rm -f "$log"
  tally "pg_upgrade from Postgres 16 to 18" "${passed:-0}" "${failed:-0}"
  return "$status"
}

# leg_debian MAJOR RELEASE
leg_debian() {
  if [ "$(. /etc/os-release && echo "$ID")" != debian ]; then
    skip "$1" "it runs in a root made of Debian packages, which this machine has no source of"
  elif ! is_root; then
    skip "$1" "it runs in a Debian root, which only root can make: sudo make matrix"
  else
    "$scripts/debian.sh" "$2" env PG_CONFIG="/usr/lib/postgresql/$1/bin/pg_config" "$scripts/matrix.sh" leg
  fi
}

skip() {
  printf '\033[1;33mSKIPPED\033[0m Postgres %s: %s\n' "$1" "$2" >&2
}

# Inside the Debian 13 root: one leg and nothing else.
if [ "${1:-}" = leg ]; then
  leg "$PG_CONFIG"
  exit
fi

if [ $# -eq 0 ]; then set -- 15 16 18 17; fi
for major in "$@"; do
  if [ "$major" = "$default_major" ]; then
    note "Postgres $major is the default here: make test covers it"
    continue
  fi
  say "Matrix: Postgres $major"
  before="$(wc -l <"$CODECITE_TALLY")"
  status=0
  # Not `leg || …`: that would switch off errexit inside the leg.
  set +e
  (
    set -e
    case "$major" in
      15) leg_debian 15 bookworm ;;
      17) leg_debian 17 trixie ;;
      16) leg_wheel 16 ;;
      18)
        leg_wheel 18
        say "Matrix: pg_upgrade from 16 to 18"
        pg_upgrade
        ;;
      *) die "no such leg: $major" ;;
    esac
  )
  status=$?
  set -e
  if [ "$status" != 0 ] && [ "$(wc -l <"$CODECITE_TALLY")" = "$before" ]; then tally "Postgres $major: build and start" 0 1; fi
done
"$scripts/tally.sh"
