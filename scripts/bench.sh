#!/usr/bin/env bash
# Speed, measured where a user feels it: through psql, in a database of its own, with a release build.
. "$(dirname "$0")/lib.sh"

export CODECITE_PROFILE="${CODECITE_PROFILE:-release}"
"$scripts/install.sh"
"$scripts/server.sh" up
eval "$("$scripts/server.sh" env)"
shared="${CODECITE_SHARED:-$repo/../shared}"
psql=("$PG_BINDIR/psql" -X -q -A -t -v ON_ERROR_STOP=1)
fresh_database codecite_bench
use_default_model

say "Ingest ($CODECITE_PROFILE build), milliseconds"
ingest() { "$state/bin/codecite" ingest "$@" >/dev/null; }
ingest "$repo/samples/model-building-code.md" --corpus model-code
for file in "$shared"/corpora/nyc_title_28/*.pdf; do
  [ -f "$file" ] || { note "SKIPPED: the real codes are not at $shared"; continue; }
  ingest "$file" --corpus nyc-title-28
done
"${psql[@]}" -F '  ' <<'SQL'
select d.document, d.page_count || ' pages', d.chunk_count || ' chunks',
       'read ' || round((r.timings->>'read_ms')::numeric), 'store ' || round((r.timings->>'store_ms')::numeric),
       'embed ' || round((r.timings->>'embed_ms')::numeric),
       'chunks/s ' || round(d.chunk_count / ((r.timings->>'embed_ms')::numeric / 1000), 1)
from codecite.ingest_run r join codecite.document d on d.id = r.document_id order by r.id;
SQL

long="$state/bench-1500-pages.pdf"
[ -f "$long" ] || python3 "$scripts/long-pdf.py" "$repo/samples/model-building-code.md" 1500 >"$long"
say "Ingest without embeddings: chapter 1 again (target 1 s for 53 pages), and a made-up code of 1,500 pages (target 10 s), milliseconds"
for file in "$shared"/corpora/nyc_title_28/*chapter1.pdf "$long"; do
  [ ! -f "$file" ] || ingest "$file" --corpus without-embeddings --no-embed
done
"${psql[@]}" -F '  ' <<'SQL'
select d.document, d.page_count || ' pages', d.chunk_count || ' chunks',
       'read ' || round((r.timings->>'read_ms')::numeric), 'store ' || round((r.timings->>'store_ms')::numeric)
from codecite.ingest_run r join codecite.document d on d.id = r.document_id join codecite.corpus c on c.id = d.corpus_id
where c.name = 'without-embeddings' order by r.id;
select codecite.drop_corpus('without-embeddings') is not null as dropped \g /dev/null
SQL

say "Search, warm, one connection, milliseconds (50 questions, 4 rounds; the first round is not counted)"
"${psql[@]}" <<'SQL'
create temporary table question as
  select 'how is ' || lower(title) || ' determined in ' || lower(coalesce(breadcrumb, '')) as q
  from codecite.section where title is not null and kind = 'section' order by md5(title) limit 50;
create temporary table took (mode text, round int, ms float);
do $$
declare m text; r int; t timestamptz; x text; n bigint;
begin
  foreach m in array array['lexical', 'vector', 'hybrid'] loop
    for r in 0..3 loop
      for x in select left(q, 80) from question loop
        t := clock_timestamp();
        select count(*) into n from codecite.search(x, mode => m);
        insert into took values (m, r, extract(epoch from clock_timestamp() - t) * 1000);
      end loop;
    end loop;
  end loop;
  for r in 0..3 loop
    for x in select left(q, 80) from question loop
      t := clock_timestamp();
      perform codecite.embed(x, 'query');
      insert into took values ('(query embedding alone)', r, extract(epoch from clock_timestamp() - t) * 1000);
    end loop;
  end loop;
end $$;
select mode || ': p50 ' || round(percentile_cont(0.5) within group (order by ms)::numeric, 1)
       || '  p95 ' || round(percentile_cont(0.95) within group (order by ms)::numeric, 1)
from took where round > 0 group by mode order by mode;
SQL
say "Two codes of 6,000 sections compared (target 5 s), milliseconds"
code="$state/bench-6000-sections.md"
[ -f "$code" ] || python3 "$scripts/long-code.py" 6000 >"$code"
awk 'NR % 97 { gsub("shall be", "must be"); print }' "$code" >"$state/bench-6000-changed.md"
ingest "$code" --corpus compared-a --no-embed
ingest "$state/bench-6000-changed.md" --corpus compared-b --no-embed
"${psql[@]}" <<'SQL'
\timing on
select change, count(*) from codecite.compare('compared-a', 'compared-b') group by change order by change;
\timing off
select codecite.drop_corpus('compared-a') + codecite.drop_corpus('compared-b') is not null as dropped \g /dev/null
SQL

say "What amendments add to a search (target 20 %), milliseconds: the model code alone, then under the state's and the city's"
ingest "$repo/samples/model-building-code.md" --corpus amended
ingest "$repo/samples/state-amendments.md" --corpus amended --layer amendment
ingest "$repo/samples/city-amendments.md" --corpus amended --layer 200
"${psql[@]}" <<'SQL'
create temporary table took (amended boolean, round int, ms float);
do $$
declare r int; t timestamptz; x text; n bigint; a boolean;
begin
  for r in 0..5 loop
    for x in select 'how is ' || lower(title) || ' determined' from codecite.section
             where title is not null and kind = 'section' order by md5(title) limit 50 loop
      foreach a in array array[false, true] loop
        t := clock_timestamp();
        select count(*) into n from codecite.search(x, array[case when a then 'amended' else 'model-code' end]);
        insert into took values (a, r, extract(epoch from clock_timestamp() - t) * 1000);
      end loop;
    end loop;
  end loop;
end $$;
select case when amended then 'with amendments' else 'alone' end || ': p50 '
       || round(percentile_cont(0.5) within group (order by ms)::numeric, 2)
from took where round > 0 group by amended order by amended;
SQL
say "What the bridge adds to a call (target 2 ms at the median), milliseconds"
python3 "$scripts/bench-bridge.py" "$state/bin/codecite" "$PG_BINDIR/psql" "$CODECITE_DATABASE_URL" amended 1004.5
say "First answer on a fresh connection, model load included, milliseconds"
for _ in 1 2 3; do
  "${psql[@]}" -c '\timing on' -c "select count(*) from codecite.search('how wide must a door be')" | sed -n 's/^Time: \([0-9.]*\).*/\1/p'
done
"$scripts/bench-clients.sh"
"$scripts/bench-readers.sh"
"$scripts/bench-structure.sh"
"$scripts/bench-embed.sh"
# shellcheck disable=SC2086 # several sizes
"$scripts/bench-scale.sh" ${SCALE:-10k 100k}
