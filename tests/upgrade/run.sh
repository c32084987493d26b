#!/usr/bin/env bash
# pg_upgrade from Postgres 16 to 18 with codecite in the cluster: the same rows, the same answers, access rules in force, indexes
# that answer, and new documents can be added.
#
# Not executable, so that `make test`, which builds for one major, passes it by: scripts/matrix.sh runs it when both are built.
scripts="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../../scripts" && pwd -P)"
skip() {
  echo "SKIPPED: pg_upgrade ($1)"
  exit 0
}
[ -d "$scripts/../.codecite/pg" ] || skip "it needs a second Postgres; scripts/postgres.sh wheel 18 brings 16 and 18"
old_config="$(PG_CONFIG='' "$scripts/postgres.sh" wheel 16)" && new_config="$(PG_CONFIG='' "$scripts/postgres.sh" wheel 18)" || skip "there is no wheel"
# What an upgrade keeps is the old SQL with the new library: both must be of the same sources to say anything.
installed() { grep -v '^--' "$("$1" --sharedir)"/extension/codecite--*.sql 2>/dev/null | sort | sha256sum; }
for config in "$old_config" "$new_config"; do
  [ -f "$("$config" --sharedir)/extension/codecite.control" ] || skip "codecite is not built for both: PG_CONFIG=$config scripts/install.sh"
done
[ "$(installed "$old_config")" = "$(installed "$new_config")" ] || skip "the two are not built from the same sources: scripts/install.sh with each PG_CONFIG"
new_bin="$("$new_config" --bindir)"
# What a run that was cut off has left; the rest is own_server.sh's to do.
PG_CONFIG="$new_config" CODECITE_SERVERS=upgrade "$scripts/server.sh" down >/dev/null 2>&1
export PG_CONFIG="$old_config"
# shellcheck source=SCRIPTDIR/../own_server.sh
OWN_SERVER=upgrade . "$(dirname "$0")/../own_server.sh"
old_bin="$PG_BINDIR"
old_home="$home"
new_home="$repo/.codecite/$CODECITE_SERVERS/18"
space=""
undo() {
  PG_CONFIG="$new_config" "$server" down >/dev/null 2>&1
  [ -z "$space" ] || rm -rf "$space"
}

database=codecite_test_upgrade
new_database "$database"
load_sample "$database" model-building-code.md model-code base
load_sample "$database" state-amendments.md model-code amendment
load_sample "$database" city-amendments.md secret-code base
copies="insert into codecite.embedding select m.id, e.document_id, e.chunk, e.corpus_id, e.embedding from codecite.embedding e, codecite.model m where e.model_id = 1 and m.name = "
sql "$database" -c "create role regress_upgrade_member" -c "create role regress_upgrade_reader" -c "create role regress_upgrade_writer" -c "create role regress_upgrade_stranger" \
  -c "select codecite.grant_read('regress_upgrade_reader'), codecite.grant_read('regress_upgrade_member'), codecite.grant_write('regress_upgrade_writer')" \
  -c "select codecite.restrict('secret-code', 'regress_upgrade_member')" -c "insert into codecite.synonyms values ('hatch', '{door}')" \
  -c "insert into codecite.model (name, dimension, max_tokens) values ('full', 384, 100), ('half', 384, 100)" -c "$copies 'full'" -c "$copies 'half'" \
  -c "select codecite.build_index('full'), codecite.build_index('half', half => true), codecite.build_index('hash')" >/dev/null

tables="access amendment chunk corpus definition document embedding ingest_run model posting profile reference section synonyms"
contents="$(for table in $tables; do echo "select '$table', count(*), md5(string_agg(md5(t::text), '' order by md5(t::text))) from codecite.$table t;"; done)"
answers="select q, s.* from unnest(array['how long may a dead end be', 'Section 402.2', 'Table 1004.5', 'Group I-2', 'hatch']) q, lateral codecite.search(q, array['model-code'], 10) s order by q, s.rank, s.layer;
  select number, codecite.section(number) from unnest(array['1004.5', '402.2', '1020.3', '903.2.9']) number;
  select t, d.* from unnest(array['high rise buildings', 'gross floor area', 'exit']) t, lateral codecite.define(t, 'model-code') d order by t, d.layer;
  select codecite.context('1004.5', 'model-code'); select codecite.amended('1020.3', 'model-code')"
corpora="select coalesce(string_agg(corpus || sections, ',' order by corpus), 'none') from codecite.corpora()"
rights() { for role in reader writer member stranger; do echo "$role: $(sql "$database" -c "set role regress_upgrade_$role" -c "$corpora" 2>&1)"; done; }
indexes="select indexrelid::regclass || ' ' || indisvalid from pg_index where indrelid = 'codecite.embedding'::regclass order by 1"

contents_before="$(sql "$database" -c "$contents")"
answers_before="$(sql "$database" -c "$answers")"
rights_before="$(rights)"
indexes_before="$(sql "$database" -c "$indexes")"
nearest_before="$(nearest "$database" full 100000 "round(score::numeric, 2)")"
check "there is something to upgrade" "16 yes 3 yes" "$(sql "$database" -c "show server_version" | cut -d . -f 1) $([ "$(wc -l <<<"$answers_before")" -gt 50 ] && echo yes) $(grep -c 'embedding_model_.* true' <<<"$indexes_before") $([ "$(wc -l <<<"$nearest_before")" -gt 5 ] && echo yes)"
check "the restricted corpus is open to its member alone" "1 1 1" "$(grep -c secret-code <<<"$rights_before") $(grep -c 'member: .*secret-code' <<<"$rights_before") $(grep -c 'stranger: .*denied' <<<"$rights_before")"

# The new cluster as server.sh makes it, but with the old one's checksums (none: from 18 on they are the default), and its
# settings included when pg_upgrade is done.
encoding="$(sql postgres -c "select '--encoding=' || pg_encoding_to_char(encoding) || ' --locale=' || datcollate from pg_database where datname = 'template1'")"
stop
mkdir -p "$new_home"
as_root_or_self() { if [ "$(id -u)" = 0 ]; then chown --reference="$old_home/data" "$@"; fi; }
mkdir -m 700 "$new_home/data" && as_root_or_self "$new_home/data"
space="$(mktemp -d /tmp/codecite-upgrade-XXXXXXXX)" && as_root_or_self "$space"
# shellcheck disable=SC2086 # two options
as_server "$new_bin/initdb" -D "$new_home/data" -U "$PGUSER" $encoding --no-data-checksums --auth-local=trust --auth-host=scram-sha-256 >"$work/initdb" 2>&1
check "a new cluster" 0 "$?"
# It writes into its working folder, and its sockets lie there.
# shellcheck disable=SC2016
upgrade() {
  as_server bash -c 'cd "$1" && shift && exec "$@"' bash "$space" "$new_bin/pg_upgrade" -b "$old_bin" -B "$new_bin" -d "$old_home/data" -D "$new_home/data" \
    -U "$PGUSER" "$@" >"$work/upgrade" 2>&1
}
upgrade --check
check "pg_upgrade --check finds nothing against it" "0 1" "$? $(grep -c 'Clusters are compatible' "$work/upgrade")"
upgrade
status=$?
check "pg_upgrade succeeds" "0 1" "$status $(grep -c 'Upgrade Complete' "$work/upgrade")"
if [ "$status" != 0 ]; then
  tail -n 20 "$work/upgrade"
  find "$new_home/data/pg_upgrade_output.d" -name '*.log' -exec tail -n 20 {} + 2>/dev/null
fi
printf "\ninclude '%s'\n" "$new_home/codecite.conf" | as_server tee -a "$new_home/data/postgresql.conf" >/dev/null

export PG_CONFIG="$new_config"
start
check "the new server starts" 0 "$?"
eval "$("$server" env)"
unset PGDATABASE
check "it is 18" 18 "$(sql "$database" -c "show server_version" | cut -d . -f 1)"
check "the same rows" "$contents_before" "$(sql "$database" -c "$contents")"
check "the same answers of search, section, define, context and amended" "$(md5sum <<<"$answers_before")" "$(sql "$database" -c "$answers" | md5sum)"
check "everybody sees what they saw, and no more" "$rights_before" "$(rights)"
check "doctor has no error" "" "$(sql "$database" -c "select * from codecite.doctor() where status = 'error'")"
check "the indexes came along, valid" "$indexes_before" "$(sql "$database" -c "$indexes")"
fresh=codecite_test_upgrade_fresh
new_database "$fresh"
# pg_upgrade dumps the bodies in BEGIN ATOMIC and reads them again, which writes some of them another way: so is done here.
sql "$fresh" <<'SQL'
set search_path = '';
do $$ declare body text; begin
  for body in select pg_get_functiondef(oid) from pg_proc where pronamespace = 'codecite'::regnamespace and prosqlbody is not null loop execute body; end loop;
end $$;
SQL
objects() { sql "$1" -f "$repo/tests/lifecycle/objects.sql"; }
check "its objects are those of a fresh installation" "yes " "$([ "$(objects "$fresh" | wc -l)" -gt 90 ] && echo yes) $(diff <(objects "$fresh") <(objects "$database"))"
initial="select objoid::regprocedure, initprivs from pg_init_privs where classoid = 'pg_proc'::regclass and objoid >= 16384 order by objoid::regprocedure::text"
check "so are the rights that a dump need not name" "$(sql "$fresh" -c "$initial")" "$(sql "$database" -c "$initial")"
check "whoever was given nothing may do nothing" 0 "$(sql "$database" -c "select (select count(*) from pg_proc p where p.pronamespace = 'codecite'::regnamespace and has_function_privilege('regress_upgrade_stranger', p.oid, 'EXECUTE'))
  + (select count(*) from pg_class c where c.relnamespace = 'codecite'::regnamespace and c.relkind in ('r', 'v') and has_table_privilege('regress_upgrade_stranger', c.oid, 'SELECT, INSERT, UPDATE, DELETE'))")"
check "the nearest one by one" "$nearest_before" "$(nearest "$database" full 100000 "round(score::numeric, 2)")"
for model in full half; do
  check "the nearest with the index of model $model" "${nearest_before/index: false/index: true}" "$(nearest "$database" "$model" 0 "round(score::numeric, 2)" "set local enable_sort = off;")"
done
repaired="$(sql "$database" -c "select * from codecite.repair()")"
check "repair builds no index and gives no right" "" "$(grep -v '^statistics' <<<"$repaired")"
check "a second time it does nothing" "" "$(sql "$database" -c "select * from codecite.repair()")"
# An index that did not come along.
sql "$database" -c "drop index codecite.embedding_model_2"
check "repair brings a missing index" "index|embedding_model_2 was built for model full" "$(sql "$database" -c "select * from codecite.repair()")"
check "and it answers" "${nearest_before/index: false/index: true}" "$(nearest "$database" full 0 "round(score::numeric, 2)" "set local enable_sort = off;")"

# Life goes on.
document="convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nDoors of zephyr rooms are thirty inches wide.\n', 'UTF8')"
check "a writer adds a document" 1 "$(sql "$database" -c "set role regress_upgrade_writer" -c "select count(*) from codecite.ingest($document, 'new-code', document => 'doors')")"
check "which is found" "101.1" "$(sql "$database" -c "set role regress_upgrade_reader" -c "select number from codecite.search('zephyr rooms', k => 1)")"
check "the hidden corpus stays closed to the writer" 1 "$(sql "$database" -c "set role regress_upgrade_writer" -c "select codecite.drop_corpus('secret-code')" 2>&1 | grep -c 'there is no corpus')"
model=all-MiniLM-L6-v2
if [ -r "$repo/.codecite/models/$model/codecite.json" ]; then
  sql "$database" -c "select codecite.add_model('$model'), codecite.use_model('$model')" >/dev/null
  check "a model's files are read, and it embeds" "ok 384" "$(sql "$database" -c "select (select status from codecite.doctor() where \"check\" = 'model files') || ' ' || vector_dims(codecite.embed('doors'))")"
fi
check "the extension can be dropped" "0" "$(sql "$database" -c "drop extension codecite" -c "select count(*) from pg_class where relname like 'embedding%'")"
for name in "$database" "$fresh"; do sql postgres -c "drop database if exists $name with (force)"; done
finished=yes
