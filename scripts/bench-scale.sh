#!/usr/bin/env bash
# Search by the number of chunks, in a database of its own: made-up codes of about 10,000 chunks each, with made-up vectors
# that lie in 2,000 overlapping clusters. `bench-scale.sh 10k 100k 1M` measures these sizes (1M takes hours, mostly for the index).
#
# Beside each figure stands what its parts cost alone: pgvector's own search at the same recall, and a GIN index over the same
# texts searched for any of the words, ranked by ts_rank_cd, LIMIT 40.
. "$(dirname "$0")/lib.sh"

eval "$("$scripts/server.sh" env)"
psql=("$PG_BINDIR/psql" -X -q -A -t -v ON_ERROR_STOP=1)
fresh_database codecite_scale
use_default_model

"${psql[@]}" <<'SQL'
select setseed(.5);
create table cluster as
  select n, (select l2_normalize(array_agg(random() + random() + random() - 1.5)::vector) from generate_series(1, 384) where n > 0) v
  from generate_series(1, 2000) n;
create function near_cluster(at bigint, spread float) returns vector language sql volatile as $$
  select l2_normalize(a.v + b.v * array_fill(.6::real, array[384])::vector
                      + (select array_agg((random() - .5) * spread)::vector from generate_series(1, 384) where at > 0))
  from cluster a, cluster b where a.n = 1 + at % 2000 and b.n = 1 + (at * 7919 / 2000) % 2000 $$;
create unlogged table words (document_id bigint, chunk integer, text tsvector);
-- What is asked: words of some section's subject and its text, and a vector near some chunk's cluster.
create function ask(rounds int) returns table (q text, v real[]) language sql volatile as $$
  select concat_ws(' ', lower(s.title), (select string_agg(w, ' ') from (select w from regexp_split_to_table(s.body, '[^a-z]+') w
           where length(w) > 4 order by md5(w) limit 4) x)), near_cluster(s.document_id * 7 + s.ordinal, .12)::real[]
  from codecite.section s where s.kind = 'section' and s.title is not null order by md5(s.title || rounds) limit 60 $$;
SQL

documents=0
grow() {
  local wanted="$1" name
  while [ "$documents" -lt "$wanted" ]; do
    documents=$((documents + 1))
    name="$state/bench-varied-$documents.md"
    [ -f "$name" ] || python3 "$scripts/varied-code.py" 4900 "$documents" >"$name"
    "$state/bin/codecite" ingest "$name" --corpus scale --no-embed >/dev/null 2>&1
  done
  "${psql[@]}" <<'SQL'
insert into codecite.embedding (model_id, document_id, chunk, corpus_id, embedding)
  select 2, c.document_id, c.ordinal, c.corpus_id, near_cluster(c.document_id * 10007 + c.ordinal * 3, .12)
  from codecite.chunk c where not exists (select from codecite.embedding e where e.document_id = c.document_id and e.chunk = c.ordinal);
insert into words select c.document_id, c.ordinal, to_tsvector('english', substr(s.body, c.char_from + 1, c.char_count))
  from codecite.chunk c join codecite.section s on s.document_id = c.document_id and s.ordinal = c.section
  where not exists (select from words w where w.document_id = c.document_id and w.chunk = c.ordinal);
create index if not exists words_gin on words using gin (text);
SQL
}

measured="$state/bench-scale.tsv"
: >"$measured"
measure() {
  "${psql[@]}" -v "measured=$measured.part" <<'SQL'
vacuum analyze;
select codecite.version() \g /dev/null
create temporary table asked as select row_number() over () n, * from ask(1);
create temporary table took (what text, round int, ms float);
create temporary table recall (hit int, wanted int);
do $$
declare a record; r int; t timestamptz; n bigint; m text; any_word tsquery; exact boolean; kth float;
begin
  exact := (select count(*) from codecite.chunk) <= current_setting('codecite.exact_search_max_chunks')::int;
  for r in 0..3 loop
    for a in select * from asked loop
      any_word := to_tsquery('english', (select string_agg(w, ' | ') from regexp_split_to_table(a.q, ' ') w));
      -- Whoever comes first finds the index's pages cold: each in its turn.
      for i in 0..3 loop
        m := (array['lexical', 'vector', 'hybrid', '(pgvector alone)'])[1 + (a.n::int + r + i) % 4];
        t := clock_timestamp();
        if m = '(pgvector alone)' then
          if exact then set local enable_indexscan = off; else
            set local hnsw.ef_search = 200; set local hnsw.iterative_scan = strict_order; end if;
          perform chunk from codecite.embedding where model_id = 2 order by embedding::vector(384) <=> a.v::vector(384) limit 100;
          set local enable_indexscan = on;
        else
          select count(*) into n from codecite.search(a.q, array['scale'], mode => m, query_vector => a.v);
        end if;
        insert into took values (m, r, extract(epoch from clock_timestamp() - t) * 1000);
      end loop;
      t := clock_timestamp();
      perform document_id from words where text @@ any_word order by ts_rank_cd(text, any_word) desc limit 40;
      insert into took values ('(GIN alone)', r, extract(epoch from clock_timestamp() - t) * 1000);
      if r = 0 then
        set local enable_indexscan = off;
        kth := (select max(d) from (select embedding <=> a.v::vector d from codecite.embedding where model_id = 2 order by d limit 100) x);
        set local enable_indexscan = on;
        insert into recall select count(*) filter (where d <= kth + 1e-6), 100 from (
          select embedding::vector(384) <=> a.v::vector(384) d from codecite.embedding where model_id = 2
          order by embedding::vector(384) <=> a.v::vector(384) limit 100) x;
      end if;
      set local enable_indexscan = on;
    end loop;
  end loop;
end $$;
select (select count(*) from codecite.chunk) || ' chunks, ' || case when (select indexed from codecite.models() where in_use) and (select count(*) from codecite.chunk) > current_setting('codecite.exact_search_max_chunks')::int
       then 'HNSW' else 'exact' end || ', recall of the first 100 vectors ' || round((select sum(hit)::numeric / sum(wanted) from recall), 4);
with p as (select what, percentile_cont(.5) within group (order by ms) p50, percentile_cont(.95) within group (order by ms) p95 from took where round > 0 group by what)
select '  ' || what || ': p50 ' || round(p50::numeric, 1) || '  p95 ' || round(p95::numeric, 1) from p
union all select '  hybrid / (GIN + pgvector): ' || round(((select p50 from p where what = 'hybrid') / (select sum(p50) from p where what like '(%'))::numeric, 2)
order by 1 desc;
\pset fieldsep '\t'
\o :measured
select (select count(*) from codecite.chunk), what, round(percentile_cont(.5) within group (order by ms)::numeric, 2),
       round(percentile_cont(.95) within group (order by ms)::numeric, 2) from took where round > 0 group by what order by what;
SQL
  cat "$measured.part" >>"$measured"
}

for size in "${@:-10k}"; do
  case "$size" in 1M) wanted=100 ;; *k) wanted=$((${size%k} / 10)) ;; *) die "a size is 10k, 100k or 1M, not $size" ;; esac
  grow "$wanted"
  if [ "$wanted" -gt 3 ]; then
    started=$SECONDS
    PGOPTIONS="-c maintenance_work_mem=4GB -c max_parallel_maintenance_workers=1" "${psql[@]}" -c "select codecite.build_index()" >/dev/null
    note "index built in $((SECONDS - started)) s"
  fi
  measure
done
rm -f "$measured.part"
# One size is no curve.
if [ $# -gt 1 ]; then python3 "$scripts/scale-plot.py" "$measured" "$repo/docs/SCALE.svg" && note "drawn: docs/SCALE.svg"; fi
