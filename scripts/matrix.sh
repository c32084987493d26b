#!/usr/bin/env bash
# Build, install and SQL tests on every supported Postgres major that is not the default one:
#
#   15   Debian 12's packages, with pgvector built from Debian 13's source package (Debian 12 has none)
#   16   the wheel
#   17   Debian 13's packages; on another system in a Debian 13 root of our own, with the machine's Rust toolchain
#   18   the wheel
#
# 15 and 17 install system packages (Postgres and its headers) and need root or sudo. A leg that this machine cannot run is
# skipped loudly. `matrix.sh 15 18` runs some. CODECITE_TALLY collects the counts.
#
# All legs share one target folder: only the crates that know the Postgres version are built again. 17 comes last, because
# what a newer system links may not run on an older one.
. "$(dirname "$0")/lib.sh"

export CODECITE_TALLY="${CODECITE_TALLY:-$(mktemp)}"
# Servers of their own: never the databases that a person filled.
export CODECITE_SERVERS=matrix
default_major="$(PG_CONFIG='' pg_major "$(chosen_pg_config)")"
skipped=()

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
  PG_CONFIG="$1" "$scripts/server.sh" down >/dev/null 2>&1 || true
  rm -rf "${state:?}/${CODECITE_SERVERS:?}/$(pg_major "$1")"
}

apt_install() {
  DEBIAN_FRONTEND=noninteractive as_root apt-get install -qq -y --no-install-recommends "$@" >/dev/null
}

# pgvector from Debian 13's source package, into a packaged Postgres. Only the source list is foreign, and it is kept in a
# folder of its own, so that the machine's apt stays as it is. apt checks the signature.
pgvector_from_source() {
  local config="$1" folder
  [ -z "$(pgvector_of "$config")" ] || return 0
  say "Building pgvector for $("$config" --version)"
  folder="$(mktemp -d)" # PGXS does not bear a path with a space, so not in .codecite
  mkdir -p "$folder/lists/partial"
  echo "deb-src $(apt_uri) trixie main" >"$folder/sources.list"
  local apt=(apt-get -qq -o "Dir::Etc::SourceList=$folder/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$folder/lists" -o APT::Sandbox::User=root)
  (
    cd "$folder"
    "${apt[@]}" update
    "${apt[@]}" source --download-only pgvector
    mkdir source
    tar -xf pgvector_*.orig.tar.* -C source --strip-components 1
    # No bitcode for the JIT compiler: it needs another clang.
    make -s -C source "PG_CONFIG=$config" OPTFLAGS= with_llvm=no
    as_root make -s -C source "PG_CONFIG=$config" with_llvm=no install
  ) >&2
  rm -rf "$folder"
}

leg_15() {
  [ "$(os_codename)" = bookworm ] || { skip 15 "its packages are Debian 12's, this is $(os_codename)"; return; }
  as_root apt-get update -qq
  apt_install postgresql-15 postgresql-server-dev-15
  local config=/usr/lib/postgresql/15/bin/pg_config
  pgvector_from_source "$config"
  leg "$config"
}

leg_wheel() { leg "$("$scripts/postgres.sh" wheel "$1")"; }

leg_17() {
  local config=/usr/lib/postgresql/17/bin/pg_config
  if [ "$(os_codename)" = trixie ]; then
    as_root apt-get update -qq
    apt_install postgresql-17 postgresql-server-dev-17 postgresql-17-pgvector
    leg "$config"
  elif ! have apt-get; then
    skip 17 "it needs Debian's packages, this is $(os_codename)"
  else
    "$scripts/debian13.sh" env PG_CONFIG="$config" CODECITE_SERVERS="$CODECITE_SERVERS" "$scripts/matrix.sh" leg
  fi
}

skip() {
  skipped+=("$1")
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
      15) leg_15 ;;
      17) leg_17 ;;
      16 | 18) leg_wheel "$major" ;;
      *) die "no such leg: $major" ;;
    esac
  )
  status=$?
  set -e
  if [ "$status" != 0 ] && [ "$(wc -l <"$CODECITE_TALLY")" = "$before" ]; then tally "Postgres $major: build and start" 0 1; fi
done
"$scripts/tally.sh"
