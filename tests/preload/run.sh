#!/usr/bin/env bash
# A server that loads the model at its start: sessions have it at once and share it, a killed session brings no other harm than
# Postgres' own recovery, and where it cannot be loaded the server starts all the same. On a server of its own.
# shellcheck source=SCRIPTDIR/../common.sh
. "$(dirname "$0")/../common.sh"
# shellcheck source=SCRIPTDIR/../../scripts/lib.sh
. "$repo/scripts/lib.sh"
set +e
bin="$PG_BINDIR"
home="$(mktemp -d "$state/preload.XXXXXX")"
chmod 755 "$home"
if is_root; then chown "$(server_user)" "$home"; fi
stop() { as_server "$bin/pg_ctl" -D "$home/data" -w -m fast stop >/dev/null 2>&1; }
trap 'stop; rm -rf "$home"; finish' EXIT
runtime="$state/onnxruntime/$onnxruntime_version/libonnxruntime.so"

as_server "$bin/initdb" -D "$home/data" -U codecite --encoding=UTF8 --locale=C.UTF-8 --auth=trust >"$work/initdb.log" 2>&1
as_server sh -c "cat >>'$home/data/postgresql.conf'" <<CONF
listen_addresses = ''
unix_socket_directories = '$home'
shared_preload_libraries = 'codecite'
codecite.model_dir = '$state/models'
codecite.onnxruntime_library = '$runtime'
codecite.preload_model = '$model_name'
restart_after_crash = on
CONF
start() {
  : >"$home/log"
  if is_root; then chown "$(server_user)" "$home/log"; fi
  as_server "$bin/pg_ctl" -D "$home/data" -l "$home/log" -w -t 60 start >/dev/null 2>&1
}
export PGHOST="$home" PGPORT=5432 PGUSER=codecite
unset DATABASE_URL

start
check "the server starts and says that it has the model" 1 "$(grep -c "codecite has loaded the model $model_name for all sessions" "$home/log")"
sql postgres -c "create database preloaded" -c "select 1" >/dev/null
sql preloaded -c "create extension vector" -c "create extension codecite" -c "select codecite.add_model('$model_name'), codecite.use_model('$model_name')" >/dev/null
vector="$(sql preloaded -c "select md5(round(sum(x)::numeric, 3)::text) from unnest(codecite.embed('a door', 'query')::real[]) x")"
check "a session embeds" 32 "${#vector}"

# What a session that embeds has for itself; with a copy of the weights it would be 57 MB.
private="$( (echo "select count(x.e) from (select codecite.embed('a door ' || n, 'query') e from generate_series(1, 20) n) x; select pg_backend_pid();"; sleep 3) | sql preloaded |
  { read -r _; read -r pid; as_server awk '/^Private_/ { kb += $2 } END { print int(kb / 1024) }' "/proc/$pid/smaps_rollup"; })"
check "a session shares the weights (has ${private:-?} MB for itself)" yes "$([ "${private:-99}" -lt 40 ] && echo yes)"

# A session is killed in the midst of embedding: Postgres starts its sessions anew, and they have the model again.
sql preloaded -c "select count(x.e) from (select codecite.embed(repeat('door ', 200) || n, 'document') e from generate_series(1, 2000) n) x" >/dev/null 2>&1 &
sleep 1
victim="$(sql preloaded -c "select pid from pg_stat_activity where query like '%repeat%' and pid <> pg_backend_pid() limit 1")"
as_server kill -9 "$victim"
wait
for _ in $(seq 50); do sql preloaded -c "select 1" >/dev/null 2>&1 && break; sleep 0.2; done
check "the session was killed" 1 "$(grep -c 'was terminated by signal 9' "$home/log")"
check "after a kill the same vector" "$vector" "$(sql preloaded -c "select md5(round(sum(x)::numeric, 3)::text) from unnest(codecite.embed('a door', 'query')::real[]) x")"
for _ in $(seq 100); do sql preloaded -c "select count(codecite.embed('a door', 'query'))" >/dev/null || break; done
check "a hundred sessions come and go" 0 "$(grep -c 'terminated by signal 11\|terminated by signal 6' "$home/log")"
stop

# A session without the preloaded model answers the same.
as_server sh -c "echo \"codecite.preload_model = ''\" >>'$home/data/postgresql.conf'"
start
check "without it the same vector" "$vector" "$(sql preloaded -c "select md5(round(sum(x)::numeric, 3)::text) from unnest(codecite.embed('a door', 'query')::real[]) x")"
stop

for fault in "codecite.preload_model = 'no-such-model'" "codecite.onnxruntime_library = '/nowhere/libonnxruntime.so'"; do
  as_server sh -c "cp '$home/data/postgresql.conf' '$home/good.conf'; echo \"codecite.preload_model = '$model_name'\" >>'$home/data/postgresql.conf'; echo \"$fault\" >>'$home/data/postgresql.conf'"
  start
  check "with $fault the server starts and warns" "1 1" "$(grep -c 'WARNING:  codecite could not load' "$home/log") $(sql preloaded -c "select 1")"
  stop
  as_server cp "$home/good.conf" "$home/data/postgresql.conf"
done
finished=yes
