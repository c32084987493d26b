#!/usr/bin/env bash
# A dump restores into a new database whole: the same rows, the same answers, access rules in force, the built-in model once,
# and new documents can be added.
# shellcheck source=SCRIPTDIR/../common.sh
. "$(dirname "$0")/../common.sh"
source_db=codecite_test_dump
target_db=codecite_test_restored
new_database "$source_db"
databases+=("$target_db")

load_sample "$source_db" model-building-code.md model-code base
load_sample "$source_db" state-amendments.md model-code amendment
load_sample "$source_db" design-standard.md design-standard base false
load_sample "$source_db" city-amendments.md secret-code base
sql postgres -c "set client_min_messages = warning" -c "drop role if exists regress_dump_member, regress_dump_reader"
sql "$source_db" -c "create role regress_dump_member" -c "create role regress_dump_reader" -c "select codecite.grant_read('regress_dump_reader')" \
  -c "select codecite.restrict('secret-code', 'regress_dump_member')" -c "insert into codecite.model (name, dimension, max_tokens) values ('other', 384, 100)" \
  -c "insert into codecite.embedding select m.id, e.document_id, e.chunk, e.corpus_id, e.embedding from codecite.embedding e, codecite.model m where m.name = 'other'" \
  -c "insert into codecite.profile (name, definition) values ('own', '{\"name\": \"own\", \"description\": \"\", \"levels\": [{\"kind\": \"section\", \"patterns\": [\"(?P<number>[0-9]+)\"]}]}')" \
  -c "insert into codecite.synonyms values ('hatch', '{door}')" -c "select codecite.build_index('other')" \
  -c "select from codecite.ingest(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nWide.\n', 'UTF8'), 'design-standard', document => 'doors', edition => '2020')" \
  -c "select from codecite.ingest(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nWider.\n', 'UTF8'), 'design-standard', document => 'doors', edition => '2024')" >/dev/null

tables="access amendment chunk corpus definition document embedding ingest_run model posting profile reference section synonyms"
counts="$(for table in $tables; do echo "select '$table', count(*) from codecite.$table;"; done)"
contents="select md5(string_agg(md5(s::text), '' order by s.document_id, s.ordinal)) from codecite.section s;
  select md5(string_agg(md5(p::text), '' order by p.document_id, p.term)) from codecite.posting p;
  select md5(string_agg(md5(e::text), '' order by e.model_id, e.document_id, e.chunk)) from codecite.embedding e"
answers="select md5(string_agg(s::text, '' order by q, rank, layer)) from unnest(array['how long may a dead end be', 'Section 402.2', 'Table 1004.5', 'Group I-2']) q, lateral codecite.search(q, array['model-code'], 10) s;
  select md5(string_agg(d::text, '' order by t, layer)) from unnest(array['high rise buildings', 'gross floor area']) t, lateral codecite.define(t, 'model-code') d;
  select md5(string_agg(c::text, '' order by ordinal)) from codecite.context('1004.5', 'model-code') c;
  select string_agg(name || ' ' || owner, ', ' order by name) from codecite.profiles() where not builtin;
  select count(*) filter (where profile_changed) from codecite.documents()"

"$PG_BINDIR/pg_dump" -Fc -d "$source_db" -f "$work/dump" 2>"$work/dump.log"
check "pg_dump succeeds" 0 "$?"
# A table that the dump left out would show here: the extension's rows are dumped because the install script says so.
sql postgres -c "create database $target_db"
"$PG_BINDIR/pg_restore" --exit-on-error -d "$target_db" "$work/dump" 2>"$work/restore.log"
check "pg_restore succeeds" "0 " "$? $(cat "$work/restore.log")"

check "the same counts" "$(sql "$source_db" -c "$counts")" "$(sql "$target_db" -c "$counts")"
check "there was something to compare" "14 14" "$(sql "$source_db" -c "$counts" | wc -l) $(sql "$source_db" -c "$counts" | grep -cE '^(amendment\|0|.*\|[1-9][0-9]*)$')"
check "the same rows" "$(sql "$source_db" -c "$contents")" "$(sql "$target_db" -c "$contents")"
check "the same answers" "$(sql "$source_db" -c "$answers")" "$(sql "$target_db" -c "$answers")"
check "the built-in model once, in use" "hash t, other f" "$(sql "$target_db" -c "select string_agg(model || ' ' || in_use::text::char(1), ', ' order by model) from codecite.models()")"
check "what was pending still is" "$(sql "$source_db" -c "select pending > 0, pending from codecite.models() where in_use")" "$(sql "$target_db" -c "select pending > 0, pending from codecite.models() where in_use")"
# Policies stand in the install script and grants are dumped: a restored restricted corpus stays closed.
check "a restricted corpus stays closed" "design-standard,model-code" "$(sql "$target_db" -c "set role regress_dump_reader" -c "select string_agg(corpus, ',' order by corpus) from codecite.corpora()")"
# The index is no part of a dump of an extension's table; what should exist is remembered, and repair() makes it.
indexed="select indexed from codecite.models() where model = 'other'"
asks="select count(*) from codecite.doctor() where \"check\" = 'index'"
check "the source had a vector index, the copy has none and doctor asks for it" "t f 1" "$(sql "$source_db" -c "$indexed") $(sql "$target_db" -c "$indexed") $(sql "$target_db" -c "$asks")"
never="select string_agg(relname, ' ' order by relname) from pg_class where relnamespace = 'codecite'::regnamespace and relkind = 'r' and reltuples < 0"
one_by_one="$(nearest "$source_db" other 100000 score)"
expected="index|embedding_model_$(sql "$target_db" -c "select id from codecite.model where name = 'other'") was built for model other"
for table in $(sql "$target_db" -c "$never"); do expected+=$'\n'"statistics|$table was analyzed"; done
check "repair says what it did" "$expected" "$(sql "$target_db" -c "select * from codecite.repair()")"
check "the index is there, doctor asks no more, every table has statistics" "t 0 " "$(sql "$target_db" -c "$indexed") $(sql "$target_db" -c "$asks") $(sql "$target_db" -c "$never")"
check "repair has nothing more to do" "" "$(sql "$target_db" -c "select * from codecite.repair()")"
check "the same answers one by one" "yes $one_by_one" "$([ "$(wc -l <<<"$one_by_one")" -gt 5 ] && echo yes) $(nearest "$target_db" other 100000 score)"
# So few rows the planner would rather sort.
check "and with the index" "${one_by_one/index: false/index: true}" "$(nearest "$target_db" other 0 score "set local enable_sort = off;")"
# Identity columns go on after the rows that are there.
check "a new document can be added" 1 "$(sql "$target_db" -c "select count(*) from codecite.ingest(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nWide.\n', 'UTF8'), 'new-code')")"
check "and a new model" 1 "$(sql "$target_db" -c "with m as (insert into codecite.model (name, dimension, max_tokens) values ('third', 3, 100) returning 1) select count(*) from m")"

# Without the extension's data (--schema-only) there is an empty, working extension.
new_db=codecite_test_schema_only
databases+=("$new_db")
sql postgres -c "drop database if exists $new_db" -c "create database $new_db" 2>/dev/null
"$PG_BINDIR/pg_dump" --schema-only -d "$source_db" 2>>"$work/dump.log" | sql "$new_db" >"$work/schema.log" 2>&1
check "a schema-only dump restores" "0 0" "$? $(sql "$new_db" -c "select count(*) from codecite.corpora()")"

for database in "${databases[@]}"; do sql postgres -c "drop database if exists $database with (force)"; done
sql postgres -c "drop role regress_dump_member, regress_dump_reader"
finished=yes
