#!/usr/bin/env bash
# A hot standby answers searches, sections and verifications, and survives a conflict with what it replays; the tables can be
# replicated logically. On servers of its own, which are thrown away.
# shellcheck source=SCRIPTDIR/../own_server.sh
OWN_SERVER=replica . "$(dirname "$0")/../own_server.sh"
standby="$home/standby"
undo() { as_server "$PG_BINDIR/pg_ctl" stop -D "$standby" -m immediate >/dev/null 2>&1; }

sql postgres -c "alter system set wal_level = logical"
stop
start
database=codecite_test_replica
new_database "$database"
# shellcheck disable=SC2028 # the backslashes are for Postgres
file() { echo "convert_to((select string_agg(format(E'# CHAPTER %s PART\n\n## %s01.1 Doors.\n\nDoor %s of $1 is wide. See Section 101.1.\n\n', i, i, i), '' order by i) from generate_series(1, $2) i), 'UTF8')"; }
sql "$database" -c "select count(*) from codecite.ingest($(file oak 99), 'oak-code', document => 'oak')" >/dev/null

# A standby, as pg_basebackup makes it. The copied settings name the primary's port and socket folder: its own port on the same folder.
port=$((PGPORT + 1))
install -d -m 700 -o "$(stat -c %U "$home/data")" "$standby"
as_server "$PG_BINDIR/pg_basebackup" -h "$PGHOST" -p "$PGPORT" -U "$PGUSER" -D "$standby" -R -X stream -c fast >"$work/basebackup" 2>&1
check "pg_basebackup" 0 "$?"
as_server "$PG_BINDIR/pg_ctl" start -D "$standby" -l "$home/log/standby.log" -w -t 60 \
  -o "-c port=$port -c listen_addresses='' -c max_standby_streaming_delay=100ms -c hot_standby_feedback=off" >/dev/null 2>&1
on_standby() { PGPORT="$port" sql "$database" "$@"; }
# Waits until the standby has replayed what the primary has written.
caught_up() {
  local at
  at="$(sql postgres -c "select pg_current_wal_lsn()")"
  for _ in $(seq 1 200); do
    if [ "$(PGPORT="$port" sql postgres -c "select pg_last_wal_replay_lsn() >= '$at'")" = t ]; then return; fi
    sleep 0.05
  done
  echo "the standby did not catch up" >&2
}
caught_up
check "it is a standby" t "$(on_standby -c "select pg_is_in_recovery()")"
answers="select md5(string_agg(s::text, '' order by rank)) from codecite.search('Door 7 is wide') s;
  select md5(string_agg(s::text, '' order by s::text)) from codecite.section('701.1', 'oak-code') s;
  select md5(string_agg(s::text, '' order by s::text)) from codecite.context('701.1', 'oak-code') s;
  select string_agg(verdict, ' ' order by verdict) from codecite.verify('Section 701.1 says \"Door 7 of oak is wide.\"');
  select md5(string_agg(r::text, '' order by r::text)) from codecite.resolve('See Section 701.1 and Section 999.9.', 'oak-code') r;
  select count(*) from codecite.search('Door 7 is wide', mode => 'vector');
  select string_agg(corpus, ',') from codecite.corpora();
  select count(*) from codecite.preview(convert_to(E'# CHAPTER 1 DOORS\n', 'UTF8'))"
check "search, section, context, verify, preview: the same answers" "$(sql "$database" -c "$answers")" "$(on_standby -c "$answers")"
check "there was something to compare" 8 "$(on_standby -c "$answers" | grep -c .)"
check "doctor and progress work there" yes "$(on_standby -c "select count(*) > 0 from codecite.doctor()" -c "select count(*) from codecite.progress()" >"$work/out" 2>&1 && echo yes || cat "$work/out")"
for call in "select codecite.ingest($(file elm 3), 'elm-code')" "select codecite.drop_corpus('oak-code')" "select codecite.use_model('hash'), codecite.add_profile('own', '{}')" "select codecite.build_index()" "select codecite.add_model('no-such-model')" "select codecite.embed_batch()"; do
  check "what writes is refused: ${call:0:38}" 25006 "$(on_standby -v VERBOSITY=verbose -c "$call" 2>&1 | grep ERROR | sed -E 's/.*ERROR:  (25006).*/\1/')"
done
check "the standby is alive" oak-code "$(on_standby -c "select string_agg(corpus, ',') from codecite.corpora()")"

# What is replayed removes rows that a long search needs: the search is cancelled, the session and the next search are not.
PGPORT="$port" "$PG_BINDIR/psql" -X -q -A -t -d "$database" -c "begin isolation level repeatable read" \
  -c "select count(*) from generate_series(1, 100000) i, codecite.search('Door ' || i || ' is wide') s" >"$work/conflict" 2>&1 &
client=$!
sleep 1
sql "$database" -c "select codecite.drop_corpus('oak-code')" >/dev/null
sql "$database" -c "vacuum"
# A search that nothing cancels would run for hours.
for _ in $(seq 1 200); do kill -0 "$client" 2>/dev/null || break; sleep 0.1; done
kill "$client" 2>/dev/null
wait "$client" 2>/dev/null
check "a search in the way of replay is cancelled" yes "$(grep -c 'due to conflict with recovery' "$work/conflict" | sed 's/^[1-9].*/yes/')"
check "and the next one is served" 1 "$(on_standby -c "select count(*) from codecite.search('Door 7 is wide', k => 1)" 2>&1)"
caught_up
check "a dropped corpus is gone there" "" "$(on_standby -c "select string_agg(corpus, ',') from codecite.corpora()")"

# Logical replication into another database. The built-in model's row is there already, so it is left out.
copy=codecite_test_subscriber
new_database "$copy"
sql "$database" -c "select count(*) from codecite.ingest($(file ash 20), 'ash-code', document => 'ash')" >/dev/null
tables="$(sql "$database" -c "select string_agg(format('codecite.%I', relname) || case when relname = 'model' then ' where (id <> 1)' else '' end, ', ') from pg_class where relnamespace = 'codecite'::regnamespace and relkind = 'r'")"
sql "$database" -c "create publication codecite for table $tables" -c "select pg_create_logical_replication_slot('codecite_copy', 'pgoutput')" >/dev/null
sql "$copy" -c "create subscription codecite_copy connection 'host=''$PGHOST'' port=$PGPORT user=$PGUSER dbname=$database' publication codecite with (create_slot = false, slot_name = 'codecite_copy')" >"$work/subscription" 2>&1
check "a subscription" "0 " "$? $(cat "$work/subscription")"
answer="select md5(string_agg(s::text, '' order by rank)) from codecite.search('Door 7 is wide') s"
until_equal() { # SQL: waits until both databases answer alike
  for _ in $(seq 1 200); do
    if [ "$(sql "$database" -c "$1")" = "$(sql "$copy" -c "$1")" ]; then return; fi
    sleep 0.1
  done
}
counts="select (select count(*) from codecite.posting), (select count(*) from codecite.embedding), (select count(*) from codecite.ingest_run)"
until_equal "$counts"
until_equal "$answer"
check "what was there is copied" "$(sql "$database" -c "$counts")" "$(sql "$copy" -c "$counts")"
check "the subscriber answers alike" "$(sql "$database" -c "$answer")" "$(sql "$copy" -c "$answer")"
sql "$database" -c "select count(*) from codecite.ingest($(file birch 20), 'birch-code', document => 'birch')" -c "select codecite.drop_corpus('ash-code')" >/dev/null
until_equal "$counts"
check "what comes later, and a deletion, follow" "birch-code $(sql "$database" -c "$counts")" "$(sql "$copy" -c "select string_agg(corpus, ',') from codecite.corpora()") $(sql "$copy" -c "$counts")"
sql "$copy" -c "alter subscription codecite_copy disable" -c "alter subscription codecite_copy set (slot_name = none)" -c "drop subscription codecite_copy"
sql "$database" -c "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = 'codecite_copy' and not active" >/dev/null
finished=yes
