#!/usr/bin/env bash
# Long work can be stopped at any moment: statement_timeout and pg_cancel_backend are served within a second, nothing is left,
# and meanwhile pg_stat_activity tells how far it is.
# shellcheck source=SCRIPTDIR/../common.sh
. "$(dirname "$0")/../common.sh"
database=codecite_test_cancel
new_database "$database"

# A code of 20 MB, made in the database; 27,500 sections.
sql "$database" -c "create table code (name text, content bytea)" -c "
  insert into code select 'long', convert_to(string_agg(format(E'## %s.%s Doors.\n\n%s\n\n**Exception:** Where Section %s.1 says so.\n\n',
    1000 + i / 100, i % 100 + 1, repeat('Doors of means of egress are not less than thirty inches wide. ', 10), 1000 + i / 100), '' order by i), 'UTF8') from generate_series(1, 27500) i" -c "
  insert into code select 'short', convert_to(string_agg(format(E'## %s.%s Doors.\n\n%s\n\n', 1000 + i / 100, i % 100 + 1,
    repeat('Doors of means of egress are not less than thirty inches wide. ', 20)), '' order by i), 'UTF8') from generate_series(1, 2000) i" -c "
  insert into code values ('brackets', convert_to(repeat('![', 100000), 'UTF8')), ('dots', convert_to(E'# CHAPTER 1 DOORS\n\n## 101' || repeat('.1', 100000) || ' Deep.', 'UTF8'))"
check "the file is long enough" t "$(sql "$database" -c "select octet_length(content) > 18 * 1024 * 1024 from code where name = 'long'")"

ingest() { echo "select count(*) from codecite.ingest((select content from code where name = '$1'), 'cancelled', document => '$1', embed => ${2:-false})"; }
left() { sql "$database" -c "select (select count(*) from codecite.corpus) + (select count(*) from codecite.document) + (select count(*) from codecite.section) + (select count(*) from codecite.posting) + (select count(*) from codecite.ingest_run)"; }

# statement_timeout, at several points on the way.
for timeout in 200 500 1000 2000; do
  started="$(milliseconds)"
  sql "$database" -c "set statement_timeout = '${timeout}ms'" -c "$(ingest long)" >"$work/out" 2>&1
  took=$(($(milliseconds) - started))
  check "a timeout of $timeout ms says so" 1 "$(grep -c 'canceling statement due to statement timeout' "$work/out")"
  check_at_most "a timeout of $timeout ms is served within a second" $((timeout + 1000)) "$took"
done
check "nothing is left" 0 "$(left)"

# Input that may be slow by its form; stored or not, it is gone before the next count.
for name in brackets dots; do
  started="$(milliseconds)"
  timeout 40 "$PG_BINDIR/psql" -X -q -A -t -d "$database" -c "set statement_timeout = '500ms'" -c "$(ingest "$name")" >"$work/out" 2>&1
  check_at_most "'$name' is read or stopped within a second" 1500 $(($(milliseconds) - started))
  sql "$database" -c "delete from codecite.corpus"
done

# pg_cancel_backend, with progress meanwhile; the name comes back afterwards, and the session goes on.
stages() { sql "$database" -c "select stage, done <= total, seconds >= 0 from codecite.progress() where database = '$database'"; }
progress_of() { sql postgres -c "select application_name from pg_stat_activity where datname = '$database' and pid <> pg_backend_pid()"; }
PGAPPNAME=my-own-name "$PG_BINDIR/psql" -X -q -A -t -d "$database" -c "$(ingest long)" -c "select pg_sleep(2)" -c "select 'goes on'" >"$work/out" 2>&1 &
psql_pid=$!
seen=""
for _ in $(seq 1 40); do
  seen="$seen$(progress_of)
"
  if [ "$(grep -c 'codecite: ' <<<"$seen")" -ge 5 ]; then break; fi
  sleep 0.1
done
check "progress is visible" yes "$(grep -qE '^codecite: (read|structure|chunk|store|embed) [0-9]+/[0-9]+ [0-9]+s$' <<<"$seen" && echo yes || echo "no: $(sort -u <<<"$seen" | tr '\n' ' ')")"
check "progress() shows it to another connection" yes "$(stages | grep -qE '^(read|structure|chunk|store|embed)\|t\|t$' && echo yes || echo no)"
check "progress moves" yes "$([ "$(grep 'codecite: ' <<<"$seen" | sort -u | wc -l)" -ge 2 ] && echo yes || echo no)"
check "progress never exceeds its total" "" "$(grep -oE '[0-9]+/[0-9]+' <<<"$seen" | awk -F/ '$1 > $2')"
started="$(milliseconds)"
sql postgres -c "select count(pg_cancel_backend(pid)) from pg_stat_activity where datname = '$database' and pid <> pg_backend_pid()" >/dev/null
while [ "$(sql postgres -c "select count(*) from pg_stat_activity where datname = '$database' and state = 'active' and query like '%ingest%'")" != 0 ] && [ $(($(milliseconds) - started)) -lt 20000 ]; do sleep 0.02; done
check_at_most "a cancel is served within a second" 1000 $(($(milliseconds) - started))
check "the name is restored after a cancel" my-own-name "$(progress_of)"
wait "$psql_pid"
check "the client is told, and its session goes on" "1 1" "$(grep -c 'canceling statement due to user request' "$work/out") $(grep -c 'goes on' "$work/out")"
check "nothing is left" 0 "$(left)"

# A backend that is ended in the middle leaves nothing either.
sql "$database" -c "$(ingest long)" >"$work/out" 2>&1 &
sleep 1
started="$(milliseconds)"
sql postgres -c "select count(pg_terminate_backend(pid)) from pg_stat_activity where datname = '$database' and pid <> pg_backend_pid()" >/dev/null
wait
check_at_most "pg_terminate_backend is served within a second" 1000 $(($(milliseconds) - started))
check "it was not finished" 1 "$(grep -c 'terminating connection' "$work/out")"
check "nothing is left" 0 "$(left)"

# To the end, the name is restored as well.
check "after success the name is restored" "1|my-own-name" "$(PGAPPNAME=my-own-name sql "$database" -c "select count(*), current_setting('application_name') from codecite.ingest((select content from code where name = 'short'), 'embedding', document => 'short', embed => false)")"
# A call that fails in the middle, too.
check "after an error the name is restored" my-own-name "$(PGAPPNAME=my-own-name sql "$database" -v ON_ERROR_STOP=0 -c "set codecite.max_blocks = 2000" -c "$(ingest long)" -c "select application_name from pg_stat_activity where pid = pg_backend_pid()" 2>/dev/null)"

# embed_pending: a cancel loses at most one batch, what was committed stays, and a second call goes on from there.
pending() { sql "$database" -c "select pending from codecite.models()"; }
before="$(pending)"
sql "$database" -c "call codecite.embed_pending(batch => 100)" >"$work/out" 2>&1 &
for _ in $(seq 1 100); do
  if [ "$(pending)" -lt "$before" ]; then break; fi
  sleep 0.05
done
started="$(milliseconds)"
sql postgres -c "select count(pg_cancel_backend(pid)) from pg_stat_activity where datname = '$database' and pid <> pg_backend_pid()" >/dev/null
wait
check_at_most "a cancel of embed_pending is served within a second" 1000 $(($(milliseconds) - started))
check "it was stopped on the way" 1 "$(grep -c 'canceling statement due to user request' "$work/out")"
halfway="$(pending)"
check "what was committed stays" yes "$([ "$halfway" -lt "$before" ] && [ "$halfway" -gt 0 ] && echo yes || echo "no: $before, then $halfway")"
check "only whole batches were committed" 0 $(((before - halfway) % 100))
sql "$database" -c "call codecite.embed_pending()"
check "a second call does the rest" 0 "$(pending)"
finished=yes
