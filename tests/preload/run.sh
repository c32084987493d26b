#!/usr/bin/env bash
# A server that loads the model at its start: sessions have it at once and share it, a killed session brings no other harm than
# Postgres' own recovery, and where it cannot be loaded the server starts all the same.
# shellcheck source=SCRIPTDIR/../own_server.sh
OWN_SERVER=preload . "$(dirname "$0")/../own_server.sh"
model=all-MiniLM-L6-v2
log="$home/log/server.log"
database=codecite_test_preload
new_database "$database"
sql "$database" -c "select codecite.add_model('$model'), codecite.use_model('$model')" >/dev/null

# settings NAME=VALUE…: from the next start on, which begins a new log.
settings() {
  local setting
  for setting in "$@"; do sql postgres -c "load 'codecite'" -c "alter system set ${setting%%=*} = '${setting#*=}'"; done
  stop
  : >"$log"
  start
}
vector() { sql "$database" -c "select md5(round(sum(x)::numeric, 3)::text) from unnest(codecite.embed('a door', 'query')::real[]) x"; }

alone="$(vector)"
check "a session embeds by itself" 32 "${#alone}"
settings shared_preload_libraries=codecite codecite.preload_model=$model
check "the server says that it has the model" 1 "$(grep -c "codecite has loaded the model $model for all sessions" "$log")"
check "a session of it gives the same vector" "$alone" "$(vector)"

# The mode rerank reads with the model that there is: the same sections, in an order of its own.
sql "$database" -c "select from codecite.ingest(convert_to(E'# CHAPTER 1 PARTS\n\n## 101.1 Doors.\n\nA leaf is 32 inches wide.\n\n## 101.2 Alarms.\n\nAn alarm has a battery.\n\n## 101.3 Roofs.\n\nTiles are nailed.\n', 'UTF8'), 'oak-code')" >/dev/null
found() { sql "$database" -c "select string_agg(number, ' ' order by $2) from codecite.search('how broad is a door', k => 3, mode => '$1')"; }
check "the mode rerank gives the same sections" "$(found hybrid number)" "$(found rerank number)"
check "the best first" 101.1 "$(found rerank rank | cut -d ' ' -f 1)"

# What a session that embeds has for itself; with a copy of the weights it would be 57 MB.
private="$( (echo "select count(x.e) from (select codecite.embed('a door ' || n, 'query') e from generate_series(1, 20) n) x; select pg_backend_pid();"; sleep 3) | sql "$database" |
  { read -r _; read -r pid; as_server awk '/^Private_/ { kb += $2 } END { print int(kb / 1024) }' "/proc/$pid/smaps_rollup"; })"
check "a session shares the weights (has ${private:-?} MB for itself)" yes "$([ "${private:-99}" -lt 40 ] && echo yes)"

# A session is killed in the midst of embedding: Postgres starts its sessions anew, and they have the model again.
sql "$database" -c "select count(x.e) from (select codecite.embed(repeat('door ', 200) || n, 'document') e from generate_series(1, 2000) n) x" >/dev/null 2>&1 &
for _ in $(seq 50); do
  victim="$(sql "$database" -c "select pid from pg_stat_activity where query like '%repeat%' and pid <> pg_backend_pid() limit 1")"
  [ -n "$victim" ] && break
  sleep 0.1
done
as_server kill -9 "$victim"
wait
for _ in $(seq 50); do sql "$database" -c "select 1" >/dev/null 2>&1 && break; sleep 0.2; done
check "the session was killed" 1 "$(grep -c 'was terminated by signal 9' "$log")"
check "after a kill the same vector" "$alone" "$(vector)"
for _ in $(seq 100); do sql "$database" -c "select count(codecite.embed('a door', 'query'))" >/dev/null || break; done
check "a hundred sessions come and go" 0 "$(grep -c 'terminated by signal 11\|terminated by signal 6' "$log")"

for fault in codecite.preload_model=no-such-model codecite.onnxruntime_library=/nowhere/libonnxruntime.so; do
  settings codecite.preload_model=$model "$fault"
  check "with $fault the server starts and warns" "1 1" "$(grep -c 'WARNING:  codecite could not load' "$log") $(sql "$database" -c "select 1")"
done
finished=yes
