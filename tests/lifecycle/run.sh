#!/usr/bin/env bash
# From the install script to DROP EXTENSION: what is installed is what the sources make; released scripts do not change and lead
# to what a fresh installation has; roles keep their rights up to date; other people dump and restore; models change and
# documents are replaced while others search; nothing is left after DROP EXTENSION.
# shellcheck source=SCRIPTDIR/../common.sh
. "$(dirname "$0")/../common.sh"
database=codecite_test_lifecycle
catalog() { # what a database has besides system objects
  sql "$1" -c "select 'class ' || c.oid::regclass from pg_class c where c.oid >= 16384 and c.relkind <> 't' and c.relname !~ '^pg_toast' union all select 'proc ' || oid::regprocedure from pg_proc where oid >= 16384
    union all select 'type ' || oid::regtype from pg_type where oid >= 16384 union all select 'schema ' || nspname from pg_namespace where oid >= 16384 union all select 'policy ' || polname from pg_policy
    union all select 'cast ' || oid from pg_cast where oid >= 16384 union all select 'default privileges ' || oid from pg_default_acl union all select 'initial privileges ' || objoid::text from pg_init_privs where objoid >= 16384 and classoid = 'pg_proc'::regclass order by 1"
}
databases+=("$database")
sql postgres -c "set client_min_messages = warning" -c "drop database if exists $database with (force)" -c "create database $database" \
  -c "drop role if exists regress_life_reader, regress_life_writer, regress_life_dumper, regress_life_owner"
sql "$database" -c "create extension vector"
before="$(catalog "$database")"
sql "$database" -c "create extension codecite"

# The installed script is what the library and sql/ make.
version="$(sql "$database" -c "select default_version from pg_available_extensions where name = 'codecite'")"
extension_dir="$("${PG_CONFIG:?}" --sharedir)/extension"
staged="$(find "$repo/.codecite/stage/$PG_MAJOR" -name "codecite--$version.sql" 2>/dev/null | head -n 1)"
script() { grep -v '^--' "$1" | sort | sha256sum; }
check "the installed script is the one that was made" "$(script "${staged:-/dev/null}")" "$(script "$extension_dir/codecite--$version.sql")"
check "control file, library and SQL are of one version" "$version $version" "$(sql "$database" -c "select codecite.version() || ' ' || (select extversion from pg_extension where extname = 'codecite')")"
check "not trusted: the library reads files that a superuser's settings name" "t f" "$(sql "$database" -F ' ' -c "select superuser, trusted from pg_available_extension_versions where name = 'codecite' and version = '$version'")"

# Released scripts.
objects="$(sql "$database" -f "$repo/tests/lifecycle/objects.sql")"
released="$repo/sql/released"
versions=()
while read -r sum file; do
  check "the released $file is unchanged" "$sum" "$(sha256sum <"$released/$file" | cut -d ' ' -f 1)"
  case "${file#codecite--}" in *--*) ;; *) versions+=("$(basename "${file#codecite--}" .sql)") ;; esac
done < <(grep -v '^#' "$repo/sql/released.sha256")
for old in "${versions[@]}"; do
  check "there is a way from $old" t "$(sql "$database" -c "select path is not null from pg_extension_update_paths('codecite') where source = '$old' and target = '$version'")"
  upgraded=codecite_test_upgraded
  databases+=("$upgraded")
  sql postgres -c "drop database if exists $upgraded with (force)" -c "create database $upgraded" 2>/dev/null
  sql "$upgraded" -c "create extension vector" -c "create extension codecite version '$old'" -c "alter extension codecite update"
  check "from $old it becomes what a fresh one is" "$objects" "$(sql "$upgraded" -f "$repo/tests/lifecycle/objects.sql")"
done
if [ ${#versions[@]} = 0 ]; then echo "SKIPPED: updates from released versions (none was released yet)"; fi
check "the list of objects is whole" yes "$([ "$(wc -l <<<"$objects")" -gt 90 ] && echo yes || wc -l <<<"$objects")"
changed() { sql "$database" -c "begin" -c "$1" -f "$repo/tests/lifecycle/objects.sql" -c "rollback"; }
for change in "alter extension codecite drop view codecite.v_chunk" "alter table codecite.corpus add x integer" "drop policy visible on codecite.section" "comment on function codecite.version() is 'x'" "drop index codecite.section_parent" "grant execute on function codecite.version() to public" "grant select on codecite.v_chunk to public"; do
  check "it shows: $change" different "$([ "$(changed "$change")" = "$objects" ] && echo same || echo different)"
done

# The way from an older version, whether or not there is one: 0.0.9 is made here of the installed script, without some of what this
# version has and with something that it has not, and so is the script that leads from there to here. 0.0.8 is where a script fails.
older=(codecite--0.0.9.sql "codecite--0.0.9--$version.sql" codecite--0.0.9--0.0.8.sql)
remove_older() { for file in "${older[@]}"; do rm -f "$extension_dir/$file"; done; }
if [ -w "$extension_dir" ]; then
  trap 'remove_older; finish' EXIT
  definition() { sql "$database" -c "set search_path = ''" -c "select $1 || ';'"; }
  comment() { definition "'comment on $1 is ' || quote_literal(obj_description('codecite.$2'::$3, '$4'))"; }
  {
    grep -v '^\\' "$extension_dir/codecite--$version.sql"
    echo "drop function codecite.repair(); drop view codecite.v_reference; drop index codecite.section_parent; drop policy visible on codecite.section;
      alter table codecite.synonyms add column note text; comment on function codecite.doctor is 'Checks.'; comment on table codecite.chunk is 'pieces';
      create function codecite.gone() returns integer language sql as 'select 1'; revoke all on function codecite.gone from public;"
  } >"$work/older.sql"
  {
    definition "pg_get_functiondef('codecite.repair'::regproc)"
    comment "function codecite.repair" repair regproc pg_proc
    definition "'create view codecite.v_reference with (security_invoker = true) as ' || rtrim(pg_get_viewdef('codecite.v_reference'::regclass), ';')"
    comment "view codecite.v_reference" v_reference regclass pg_class
    definition "pg_get_indexdef('codecite.section_parent'::regclass)"
    definition "(select format('create policy visible on codecite.section using (%s)', qual) from pg_policies where schemaname = 'codecite' and tablename = 'section')"
    comment "function codecite.doctor" doctor regproc pg_proc
    comment "table codecite.chunk" chunk regclass pg_class
    # What a script makes is open to everybody until it says otherwise.
    echo "revoke all on function codecite.repair from public; alter table codecite.synonyms drop column note; drop function codecite.gone();"
  } >"$work/update.sql"
  echo "drop view codecite.v_section; select 1 / 0;" >"$work/failing.sql"
  # Readable for the server's user, as install.sh makes them.
  install -m 644 "$work/older.sql" "$extension_dir/${older[0]}"
  install -m 644 "$work/update.sql" "$extension_dir/${older[1]}"
  install -m 644 "$work/failing.sql" "$extension_dir/${older[2]}"
  older_db=codecite_test_life_older
  databases+=("$older_db")
  sql postgres -c "set client_min_messages = warning" -c "drop database if exists $older_db with (force)" -c "create database $older_db" \
    -c "create role regress_life_reader" -c "create role regress_life_writer"
  sql "$older_db" -c "create extension vector" -c "create extension codecite version '0.0.9'" -c "select codecite.grant_read('regress_life_reader'), codecite.grant_write('regress_life_writer')" \
    -c "select from codecite.ingest(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nDoors are thirty inches wide. See Section 101.2.\n\n## 101.2 Height.\n\nHigh.\n', 'UTF8'), 'open', document => 'doors')" \
    -c "select from codecite.ingest(convert_to(E'# CHAPTER 9 VAULTS\n\n## 901.1 Vaults.\n\nVaults are nine feet high.\n', 'UTF8'), 'secret', document => 'vaults')" \
    -c "insert into codecite.synonyms (word, means) values ('hatch', '{door}')" -c "insert into codecite.model (name, dimension, max_tokens) values ('other', 384, 100)" \
    -c "insert into codecite.embedding select m.id, e.document_id, e.chunk, e.corpus_id, e.embedding from codecite.embedding e, codecite.model m where m.name = 'other'" \
    -c "select codecite.build_index('other')" -c "select codecite.restrict('secret', 'regress_life_writer')" >/dev/null
  has() { sql "$older_db" -F ' ' -c "select extversion, to_regproc('codecite.repair') is not null, to_regclass('codecite.v_reference') is not null, to_regproc('codecite.gone') is not null from pg_extension where extname = 'codecite'"; }
  kept() { sql "$older_db" -c "$(for table in access amendment chunk corpus definition document embedding ingest_run model posting profile reference section; do echo "select '$table', count(*), md5(string_agg(md5(t::text), '' order by md5(t::text))) from codecite.$table t;"; done)" \
    -c "select word, means from codecite.synonyms" -c "select citation, score from codecite.search('how wide are hatches', k => 3)" -c "set role regress_life_reader" -c "select corpus from codecite.corpora()"; }
  data="$(kept)"
  check "an older version is installed, with data in it" "0.0.9 f f t 1 2 open" "$(has) $(grep -c '^chunk|[1-9]' <<<"$data") $(sql "$older_db" -c "select count(*) from codecite.corpora()") $(tail -n 1 <<<"$data")"
  check "it is another than this one" different "$([ "$(sql "$older_db" -f "$repo/tests/lifecycle/objects.sql")" = "$objects" ] && echo same || echo different)"
  check "doctor says that the library is newer, and what to do" "error ALTER EXTENSION codecite UPDATE;" "$(sql "$older_db" -F ' ' -c "select status, fix from codecite.doctor() where \"check\" = 'extension'")"
  before_failing="$(sql "$older_db" -f "$repo/tests/lifecycle/objects.sql")"
  check "a script that fails changes nothing" "1 0.0.9 f f t same" "$(sql "$older_db" -c "alter extension codecite update to '0.0.8'" 2>&1 | grep -c 'division by zero') $(has) $([ "$(sql "$older_db" -f "$repo/tests/lifecycle/objects.sql")" = "$before_failing" ] && echo same)"
  sql "$older_db" -c "alter extension codecite update"
  check "it is updated to this version" "$version t t f" "$(has)"
  check "its objects are those of a fresh installation" "" "$(diff <(echo "$objects") <(sql "$older_db" -f "$repo/tests/lifecycle/objects.sql"))"
  check "its data is what it was, and as open as it was" "$data" "$(kept)"
  check "doctor has no error" "" "$(sql "$older_db" -c "select * from codecite.doctor() where status = 'error'")"
  check "repair gives the roles what the update brought" "role regress_life_reader was given what it lacked of the rights of its kind: 1 role regress_life_writer was given what it lacked of the rights of its kind: 1" \
    "$(sql "$older_db" -c "select string_agg(detail, ' ' order by detail) from codecite.repair() where what = 'grants'")"
  check "and a document is added and found" "1 201.1" "$(sql "$older_db" -c "set role regress_life_writer" -c "select count(*) from codecite.ingest(convert_to(E'# CHAPTER 2 RAMPS\n\n## 201.1 Slope.\n\nRamps are zephyr flat.\n', 'UTF8'), 'open', document => 'ramps')" \
    -c "select number from codecite.search('zephyr', k => 1)" | paste -sd ' ')"
  sql postgres -c "drop database $older_db with (force)" -c "drop role regress_life_reader, regress_life_writer"
  remove_older
  check "nothing of it is left in Postgres' folder" "" "$(find "$extension_dir" -name 'codecite--0.0.*')"
else
  echo "SKIPPED: an update from a made-up version (it writes into $extension_dir)"
fi

# Rights. What an update brings is not granted by itself; doctor says to whom it is to be.
sql "$database" -c "create role regress_life_reader" -c "create role regress_life_writer" -c "select codecite.grant_read('regress_life_reader'), codecite.grant_write('regress_life_writer')" >/dev/null
grants="select detail, fix from codecite.doctor() where \"check\" = 'grants' order by 1"
check "after a grant nothing lacks" "" "$(sql "$database" -c "$grants")"
sql "$database" -c "revoke execute on function codecite.compare from regress_life_reader" -c "revoke execute on function codecite.drop_corpus from regress_life_writer" -c "revoke select on codecite.v_chunk from regress_life_writer"
check "doctor names both roles" "role regress_life_reader lacks 1 of the rights that it was given by kind|SELECT codecite.grant_read('regress_life_reader');
role regress_life_writer lacks 2 of the rights that it was given by kind|SELECT codecite.grant_write('regress_life_writer');" "$(sql "$database" -c "$grants")"
sql "$database" -c "select fix from codecite.doctor() where \"check\" = 'grants'" | sql "$database" >/dev/null
check "what it says helps" "" "$(sql "$database" -c "$grants")"

# shellcheck disable=SC2028 # the backslashes are for Postgres
file() { echo "convert_to((select string_agg(format(E'# CHAPTER %s PART\n\n## %s01.1 Doors.\n\nDoor %s of $1 is wide.\n\n', i, i, i), '' order by i) from generate_series(1, 60) i), 'UTF8')"; }
sql "$database" -c "select from codecite.ingest($(file oak), 'code', document => 'main')" -c "select from codecite.ingest($(file elm), 'secret', document => 'other')" -c "select codecite.restrict('secret', 'regress_life_writer')" >/dev/null

# Replacing a document and the title of a corpus, and changing models, while others search: each answer is whole.
sql "$database" -c "insert into codecite.model (name, dimension, max_tokens) values ('other-model', 384, 256)" -c "insert into codecite.embedding select m.id, e.document_id, e.chunk, e.corpus_id, e.embedding from codecite.embedding e, codecite.model m where m.name = 'other-model'"
for _ in $(seq 1 30); do sql "$database" -c "select count(*) from codecite.search('Door 7 is wide', array['code'], 3, mode => 'lexical')"; done >"$work/searching" 2>&1 &
for n in 1 2 3 4; do sql "$database" -c "select from codecite.ingest($(file "birch $n"), 'code', document => 'main', replace => true, corpus_title => 'Title $n')"; done >"$work/replacing" 2>&1
wait
check "replacing: no error" "" "$(cat "$work/replacing")"
check "replacing: every search has its three answers" "30 3" "$(sort "$work/searching" | uniq -c | sed 's/^ *//')"
check "replacing: one document, the last" "1 Title 4" "$(sql "$database" -F ' ' -c "select documents, title from codecite.corpora() where corpus = 'code'")"
for _ in $(seq 1 30); do sql "$database" -c "select distinct dimension from codecite.models() where in_use"; done >"$work/models" 2>&1 &
for model in other-model hash other-model hash; do sql "$database" -c "select codecite.use_model('$model')" >/dev/null; done
sql "$database" -c "select codecite.drop_model('other-model')" >/dev/null
wait
check "switching models: one is in use at any time" "30 384" "$(sort "$work/models" | uniq -c | sed 's/^ *//')"
check "a dropped model leaves no vectors" 1 "$(sql "$database" -c "select count(distinct model_id) from codecite.embedding")"

# Dumped by a role that is no superuser (it must read all and see through row-level security), in parallel; restored where the
# superuser made both extensions, vector in another schema.
sql "$database" -c "create role regress_life_dumper login bypassrls" -c "grant pg_read_all_data to regress_life_dumper" -c "create role regress_life_owner login"
sql postgres -c "grant connect on database $database to regress_life_dumper"
"$PG_BINDIR/pg_dump" -U regress_life_dumper -Fd -j 2 -d "$database" -f "$work/dump" 2>"$work/dump.log"
check "dumped by another role" "0 " "$? $(grep -v circular "$work/dump.log" | grep -iE 'error|denied')"
restored=codecite_test_life_restored
databases+=("$restored")
sql postgres -c "set client_min_messages = warning" -c "drop database if exists $restored with (force)" -c "create database $restored owner regress_life_owner"
sql "$restored" -c "create schema vectors" -c "create extension vector schema vectors" -c "create extension codecite"
"$PG_BINDIR/pg_restore" -j 2 --data-only --disable-triggers -d "$restored" "$work/dump" 2>"$work/restore.log"
check "restored in parallel, vector in another schema" "0 " "$? $(cat "$work/restore.log")"
seen="select coalesce(string_agg(corpus || documents || sections, ',' order by corpus), '') from codecite.corpora()"
sql "$restored" -c "select codecite.grant_read('regress_life_reader'), codecite.grant_write('regress_life_writer')" >/dev/null
for role in regress_life_reader regress_life_writer; do
  check "$role sees the same after the restore" "$(sql "$database" -c "set role $role" -c "$seen")" "$(sql "$restored" -c "set role $role" -c "$seen")"
done
check "that is not all for the reader" "code1120 code1120,secret1120" "$(sql "$restored" -c "set role regress_life_reader" -c "$seen") $(sql "$restored" -c "$seen")"
check "and searches are the same" "$(sql "$database" -c "select number, score from codecite.search('Door 7 is wide')")" "$(sql "$restored" -c "select number, score from codecite.search('Door 7 is wide')")"

# DROP EXTENSION leaves nothing.
sql "$database" -c "select codecite.build_index()" >/dev/null
sql "$database" -c "drop extension codecite"
check "nothing is left after DROP EXTENSION" "$before" "$(catalog "$database")"
check "nor a right of a role" 0 "$(sql "$database" -c "select count(*) from pg_shdepend d join pg_roles r on r.oid = d.refobjid where r.rolname in ('regress_life_reader', 'regress_life_writer') and d.dbid = (select oid from pg_database where datname = '$database')")"
for name in "$database" "$restored"; do sql postgres -c "drop database if exists $name with (force)"; done
sql postgres -c "drop role regress_life_reader, regress_life_writer, regress_life_dumper, regress_life_owner"
finished=yes
