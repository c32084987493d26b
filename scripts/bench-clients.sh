#!/usr/bin/env bash
# How searches scale with connections: searches a second by one, two and eight, each with its own copy of the model, and which locks
# they were seen to wait for, and what memory twenty have.  bench-clients.sh [DATABASE], which has the corpus model-code; by default that of bench.sh.
. "$(dirname "$0")/lib.sh"

eval "$("$scripts/server.sh" env)"
export PGDATABASE="${1:-codecite_bench}"
psql=("$PG_BINDIR/psql" -X -q -A -t -v ON_ERROR_STOP=1)
[ -x "$PG_BINDIR/pgbench" ] || { note "SKIPPED: this Postgres has no pgbench"; exit; }
seconds="${CODECITE_BENCH_SECONDS:-15}"
script="$(mktemp)"
trap 'rm -f "$script"' EXIT
"${psql[@]}" -c "set client_min_messages = warning" -c "drop table if exists asked" -c "create unlogged table asked as
  select row_number() over () n, 'how is ' || lower(title) || ' determined' q
  from (select title from codecite.section where title is not null and kind = 'section' order by md5(title) limit 60) s"
cat >"$script" <<'SQL'
\set n random(1, 60)
select count(*) from codecite.search((select q from asked where n = :n), array['model-code']);
SQL
say "Searches a second by connections ($(nproc) processors, $seconds s each)"
waits="select wait_event_type || ' ' || wait_event from pg_stat_activity where application_name = 'pgbench' and wait_event_type in ('Lock', 'LWLock', 'BufferPin')"
for clients in 1 2 8; do
  seen="$(mktemp)"
  # Every connection loads the model in its first search, which the warm-up takes.
  "$PG_BINDIR/pgbench" -n -c "$clients" -j "$clients" -T "$((seconds + 3))" -P 3 -f "$script" >"$script.out" 2>&1 &
  running=$!
  sleep 3
  while kill -0 "$running" 2>/dev/null; do
    "${psql[@]}" -c "$waits" >>"$seen"
    sleep 0.05
  done
  wait "$running" || die "pgbench failed" "$(tail -n 3 "$script.out")"
  # Reports come every three seconds; the first has the model loads in it.
  rate="$(sed -nE 's/^progress: [0-9.]+ s, ([0-9.]+) tps.*/\1/p' "$script.out" | tail -n +2 | awk '{ sum += $1 } END { printf "%.1f", sum / NR }')"
  note "$clients: $rate; waits seen: $(sort "$seen" | uniq -c | awk '{ printf "%s%s %s x%s", (NR > 1 ? ", " : ""), $2, $3, $1 } END { if (!NR) printf "none" }')"
  rm -f "$seen" "$script.out"
done
# What twenty connections have for themselves, and what each has its part of: the model's weights are mapped once.
"$PG_BINDIR/pgbench" -n -c 20 -j 2 -T 12 -f "$script" >/dev/null 2>&1 &
running=$!
sleep 9
pids="$("${psql[@]}" -c "select string_agg(pid::text, ' ') from pg_stat_activity where application_name = 'pgbench'")"
# shellcheck disable=SC2086 # several
# A connection may be gone by now, and pgbench is only a load here: neither ends the report.
memory="$(for pid in $pids; do as_server cat "/proc/$pid/smaps_rollup" || true; done 2>/dev/null |
  awk '/^Private_/ { own += $2 } /^Pss:/ { part += $2; n++ } END { if (n) printf "%d: %.0f MB each for itself, %.0f MB with its part of what is shared", n, own / n / 1024, part / n / 1024 }')"
wait "$running" || true
note "memory of connections after some searches: ${memory:-not readable}"
