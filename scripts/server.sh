#!/usr/bin/env bash
# The private Postgres server: its own data, socket and port below .codecite/server/<major>, apart from any other Postgres.
#
#   up       make it if need be, start it, create the database and the extensions
#   down     stop it
#   restart  stop and start it
#   reset    throw the database `codecite` away and make it anew
#   url      print the connection string (url --tcp: with a password over 127.0.0.1, for clients without Unix sockets)
#   env      print shell assignments (PGHOST, PGPORT, …) for scripts: eval "$(scripts/server.sh env)"
#   psql     open psql in the database
#   status   say whether it runs
#
# Who may connect: the socket's folder has mode 0700, so only the server's user and root reach it, and no password is
# asked there. On TCP it listens on 127.0.0.1 alone, which every local user can reach, so a generated password is needed.
. "$(dirname "$0")/lib.sh"

pg_config="$(chosen_pg_config)"
major="$(pg_major "$pg_config")"
bin="$("$pg_config" --bindir)"
# The scripts own this folder and read their notes in it; the server's user owns data, log and socket. (Notes that root
# writes must not lie in a folder where another user could swap them for a link.)
home="$state/${CODECITE_SERVERS:-server}/$major"
data="$home/data"
database=codecite
role=codecite

running() { [ -d "$data" ] && as_server "$bin/pg_ctl" status -D "$data" >/dev/null 2>&1; }
free_port() { ! (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }
quoted() { printf "'%s'" "${1//\'/\'\'}"; }
# Percent-encodes a path, byte by byte.
url_encoded() {
  local LC_ALL=C text="$1" i c
  for ((i = 0; i < ${#text}; i++)); do
    c="${text:i:1}"
    case "$c" in [A-Za-z0-9/._~-]) printf %s "$c" ;; *) printf '%%%02X' "'$c" ;; esac
  done
}
sql() { "$bin/psql" -X -q -A -t -v ON_ERROR_STOP=1 -h "$(cat "$home/socket_dir")" -p "$(cat "$home/port")" -U "$role" "$@"; }

# A folder that only the server's user can enter.
private_folder() {
  [ -d "$1" ] || mkdir -p "$1"
  if is_root; then chown "$(server_user):" "$1"; fi
  chmod 700 "$1"
}

# The path of a Unix socket has at most 107 bytes. Below a long path the socket gets a folder of its own in /tmp, made by
# the server's user with mkdtemp, so that nobody else can have prepared it.
socket_folder() {
  local folder="$home/socket"
  if [ "$(printf %s "$folder/.s.PGSQL.65535" | wc -c)" -gt 107 ]; then
    if [ -s "$home/socket_dir" ] && as_server test -O "$(cat "$home/socket_dir")"; then
      folder="$(cat "$home/socket_dir")"
    else
      folder="$(as_server mktemp -d /tmp/codecite-XXXXXXXX)"
    fi
  else
    private_folder "$folder"
  fi
  printf '%s\n' "$folder" >"$home/socket_dir"
}

# The port is chosen once and remembered, so that a connection string stays good; anew only if another program took it.
choose_port() {
  local port=""
  [ -s "$home/port" ] && port="$(cat "$home/port")"
  if [ -n "$port" ] && ! free_port "$port"; then
    note "port $port is taken by another program: choosing another"
    port=""
  fi
  while [ -z "$port" ]; do
    port=$((20000 + RANDOM % 10000))
    free_port "$port" || port=""
  done
  printf '%s\n' "$port" >"$home/port"
}

write_settings() {
  local runtime="$state/onnxruntime/$onnxruntime_version/libonnxruntime.so"
  cat >"$home/codecite.conf.partial" <<CONF
# Written by scripts/server.sh at every start; your own settings belong in postgresql.conf, after the include.
listen_addresses = '127.0.0.1'
port = $(cat "$home/port")
unix_socket_directories = $(quoted "\"$(cat "$home/socket_dir")\"")
hba_file = $(quoted "$home/pg_hba.conf")
cluster_name = 'codecite'
codecite.model_dir = $(quoted "$state/models")
codecite.onnxruntime_library = $(quoted "$runtime")
CONF
  cat >"$home/pg_hba.conf" <<'HBA'
# The socket's folder is closed to everyone but the server's user and root.
local all all trust
host  all all 127.0.0.1/32 scram-sha-256
# For tests of physical replication.
local replication all trust
HBA
  mv "$home/codecite.conf.partial" "$home/codecite.conf"
}

make_cluster() {
  [ -f "$data/PG_VERSION" ] && return
  say "Making a database cluster (Postgres $major)"
  # Made beside its place and renamed: a try that was cut off is thrown away and done again.
  rm -rf "$data.partial"
  private_folder "$data.partial"
  local locale=C
  locale -a 2>/dev/null | grep -qix 'C.utf-\?8' && locale=C.UTF-8
  as_server "$bin/initdb" -D "$data.partial" -U "$role" --encoding=UTF8 --locale="$locale" --auth-local=trust \
    --auth-host=scram-sha-256 >"$home/initdb.log" 2>&1 ||
    die "initdb failed" "$(tail -n 5 "$home/initdb.log")"
  printf '\ninclude %s\n' "$(quoted "$home/codecite.conf")" | as_server tee -a "$data.partial/postgresql.conf" >/dev/null
  mv "$data.partial" "$data"
}

start() {
  mkdir -p "$home"
  printf '%s\n' "$pg_config" >"$home/pg_config" # so that it can be stopped when another Postgres has been chosen
  if is_root && ! as_server test -x "$home"; then
    die "$(server_user), who runs the server, cannot read $home" "Remove .codecite (it may hold your corpora) and run make setup again."
  fi
  make_cluster
  [ -O "$data" ] || is_root || die "$data belongs to another user" "Use make as the user who made it, or remove it."
  socket_folder
  private_folder "$home/log"
  for try in 1 2 3; do
    choose_port
    write_settings
    # A second look at the port happens in the server; between the two another program may have taken it.
    if as_server "$bin/pg_ctl" start -D "$data" -l "$home/log/server.log" -w -t 120 >/dev/null 2>&1; then return; fi
    [ "$try" = 3 ] || free_port "$(cat "$home/port")" || continue
    break
  done
  tail -n 15 "$home/log/server.log" >&2 || true
  die "the server did not start" "The lines above are the end of $home/log/server.log"
}

make_database() {
  [ "$(sql -d postgres -c "select count(*) from pg_database where datname = '$database'")" = 1 ] ||
    sql -d postgres -c "create database $database"
  local extension_dir script
  extension_dir="$("$pg_config" --sharedir)/extension"
  [ -f "$extension_dir/codecite.control" ] || die "the extension is not installed in this Postgres" "Run: make install"
  sql -d "$database" -c "set client_min_messages = warning" \
    -c "create extension if not exists vector" -c "create extension if not exists codecite" -c "alter extension codecite update"
  # In development the SQL changes without a new version; Postgres cannot update that by itself.
  # (The functions come in another order each time, with the line numbers of their sources.)
  script="$(cat "$extension_dir"/codecite--*.sql | grep -v '^--' | sort | sha256sum | cut -d ' ' -f 1)"
  [ -s "$home/extension_sha256" ] || printf '%s\n' "$script" >"$home/extension_sha256"
  [ "$(cat "$home/extension_sha256")" = "$script" ] || {
    note "The extension's SQL has changed since this database was made. If its version is the same, the old functions are"
    note "still there: \`make reset\` makes the database anew (and throws away what is ingested in it)."
  }
}

make_password() {
  [ -s "$home/password" ] && return
  local password
  password="$(head -c 24 /dev/urandom | base64 | tr '+/' '-_')"
  sql -d postgres -c "alter role $role password '$password'"
  (umask 077 && printf '%s\n' "$password" >"$home/password.partial")
  mv "$home/password.partial" "$home/password"
}

start_if_down() {
  if running; then
    say "Server: running (Postgres $major, port $(cat "$home/port"))"
  else
    start
    say "Server: started (Postgres $major, port $(cat "$home/port"))"
  fi
}
up() {
  start_if_down
  make_password
  make_database
}

down() {
  if running; then
    as_server "$bin/pg_ctl" stop -D "$data" -m fast -w -t 120 >/dev/null || die "the server did not stop" "See $home/log/server.log"
    say "Server: stopped (Postgres $major)"
  else
    say "Server: not running (Postgres $major)"
  fi
}

must_be_made() { [ -s "$home/port" ] || die "there is no server yet" "Run: make up"; }

case "${1:-}" in
  up) up ;;
  down) down ;;
  restart)
    down
    up
    ;;
  reset)
    start_if_down
    sql -d postgres -c "drop database if exists $database with (force)"
    rm -f "$home/extension_sha256"
    make_database
    ;;
  url)
    must_be_made
    if [ "${2:-}" = --tcp ]; then
      echo "postgresql://$role:$(cat "$home/password")@127.0.0.1:$(cat "$home/port")/$database"
    else
      echo "postgresql://$role@/$database?host=$(url_encoded "$(cat "$home/socket_dir")")&port=$(cat "$home/port")"
    fi
    ;;
  env)
    must_be_made
    printf 'export PGHOST=%q PGPORT=%q PGUSER=%q PGDATABASE=%q\n' "$(cat "$home/socket_dir")" "$(cat "$home/port")" "$role" "$database"
    printf 'export DATABASE_URL=%q\n' "$("$0" url)"
    printf 'export PG_CONFIG=%q PG_BINDIR=%q PG_MAJOR=%q\n' "$pg_config" "$bin" "$major"
    ;;
  psql)
    must_be_made
    shift
    exec "$bin/psql" "$("$0" url)" "$@"
    ;;
  status) if running; then echo "running: $("$0" url)"; else echo "not running" && exit 3; fi ;;
  *)
    sed -n '2,/^$/{/^#/s/^# \{0,1\}//p}' "$0"
    exit 2
    ;;
esac
