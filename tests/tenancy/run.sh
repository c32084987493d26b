#!/usr/bin/env bash
# Tenants share the tables and see only their own corpora, whichever routine they call with whatever arguments; and no text
# argument of any routine reaches SQL or the file system. The calls are made from the catalog, so a new routine is in.
# shellcheck source=SCRIPTDIR/../common.sh
. "$(dirname "$0")/../common.sh"
database=codecite_test_tenancy
new_database "$database"
sql postgres -c "set client_min_messages = warning" -c "drop role if exists regress_tenant_a, regress_tenant_b, regress_writer_a"
sql "$database" -f "$repo/tests/tenancy/probe.sql"

# B's code has words, numbers and names that no call passes in: seen anywhere in what A gets, they are a leak.
# shellcheck disable=SC2028 # the backslashes are for Postgres
sql "$database" <<'SQL' >/dev/null
create role regress_tenant_a; create role regress_tenant_b; create role regress_writer_a;
select codecite.grant_read('regress_tenant_a'), codecite.grant_read('regress_tenant_b'), codecite.grant_write('regress_writer_a');
select from codecite.ingest(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nDoors are wide. See Section 901.3.\n', 'UTF8'), 'a-code', document => 'a-doc');
select from codecite.ingest(convert_to(E'# CHAPTER 9 OBSIDIAN\n\n## 901.3 Quartzite vaults.\n\nQuartzite vaults are 777 feet high. See Section 901.4.\n\n## 901.4 Obsidian.\n\n**OBSIDIAN.** A black quartzite.\n', 'UTF8'),
  'b-code', document => 'b-paper', edition => 'ED7781', title => 'Basalt Rules', jurisdiction => 'Graniteville');
select from codecite.ingest(convert_to(E'# CHAPTER 9 OBSIDIAN\n\nRevise Section 901.3 to read as follows:\n\n## 901.3 Quartzite vaults.\n\nQuartzite vaults are 888 feet high.\n', 'UTF8'), 'b-code', 'amendment', document => 'b-change');
select codecite.restrict('a-code', 'regress_tenant_a'), codecite.restrict('a-code', 'regress_writer_a'), codecite.restrict('b-code', 'regress_tenant_b');
SQL
markers='obsidian|quartzite|901\.[34]|777|888|b-paper|b-change|ED7781|basalt|graniteville'
probe() { # ROLE VALUE
  printf "set role %s;\nselect call || E'\\\\t' || state || E'\\\\t' || replace(output, E'\\\\n', ' ') from public.probe(\$value\$%s\$value\$, 'b-code');\n" "$1" "$2" | sql "$database" 2>&1
}
leaks() { cut -f 1,3 | grep -iE "	.*($markers)" | cut -c 1-300; }

values=('Section 901.2' 'Chapter 9' 'b-code' 'vaults')
for value in "${values[@]}"; do probe regress_tenant_a "$value"; done >"$work/a"
for value in "${values[@]}"; do probe regress_writer_a "$value"; done >"$work/writer"
for value in "${values[@]}" 901.3 a-code; do probe regress_tenant_b "$value"; done >"$work/b"
# A's own document mentions 901.3, so A may see that number where its own text is shown; and what it passes in comes back.
own() { grep -vE "	.*(a-code|a-doc|See Section 901\.3)" | grep -vF "'777'"; }
check "A sees nothing of B's corpus by any routine" "" "$(own <"$work/a" | leaks)"
check "nor does a writer of A's" "" "$(own <"$work/writer" | leaks)"
check "B sees it, by many routines (the trap works)" yes "$([ "$(leaks <"$work/b" | sed -E 's/\(.*//' | sort -u | wc -l)" -ge 10 ] && echo yes || echo "no: $(leaks <"$work/b" | sed -E 's/\(.*//' | sort -u)")"
for verb in search section verify resolve context amendments amended compare toc documents; do
  check "B sees it by $verb" yes "$(leaks <"$work/b" | grep -c "^codecite\.$verb(" | sed 's/^[1-9].*/yes/')"
done
check "nothing failed for want of a type or by an internal error" "" "$(cut -f 1,2 "$work/a" "$work/writer" "$work/b" | grep -E '	(XX|42601|42P01|42703|42883|42804)' | head -5)"
# An error about B's corpus is the same as about one that is not there.
error() { sql "$database" -c "set role regress_tenant_a" -c "$1" 2>&1 | sed 's/b-code\|c-code/X/g'; }
for call in "codecite.toc('CORPUS')" "codecite.section('901.3', 'CORPUS')" "codecite.search('vaults', array['CORPUS'])" "codecite.amendments('CORPUS')" "codecite.compare('a-code', 'CORPUS')" "codecite.context('901.3', 'CORPUS')" "codecite.verify('Section 901.3', 'CORPUS')"; do
  check "$call: hidden is as missing" "$(error "select * from ${call//CORPUS/c-code}")" "$(error "select * from ${call//CORPUS/b-code}")"
done
check "statistics of the tables are hidden" 0 "$(sql "$database" -c "analyze" -c "set role regress_tenant_a" -c "select count(*) from pg_stats where schemaname = 'codecite' and tablename <> 'model'")"
# shellcheck disable=SC2016 # for Postgres
check "a cheap function in WHERE is not asked about hidden rows" "" "$(sql "$database" -c 'create function public.spy(text) returns boolean language plpgsql cost 0.0000001 as $$ begin raise notice $n$saw %$n$, $1; return true; end $$' \
  -c "set role regress_tenant_a" -c "select from codecite.section where public.spy(body)" 2>&1 | grep -iE "quartzite")"

# NULL for any argument of any routine is a value or an error of its own, never an internal one.
sql "$database" <<'SQL' >"$work/nulls"
create temporary table found (argument text);
do $$
declare r record; types text[]; args text[];
begin
  for r in select p.proname, p.pronargs, p.proargnames, p.proargtypes::oid[] as argtypes from pg_proc p
           where p.pronamespace = 'codecite'::regnamespace and not p.proisstrict and p.prokind = 'f' loop
    select array_agg(format_type(t, null) order by n) into types from unnest(r.argtypes) with ordinality t(t, n);
    for missing in 1 .. r.pronargs loop
      args := '{}';
      for i in 1 .. r.pronargs loop
        args := args || case when i = missing then 'null::' || types[i] else public.literal(types[i], 'base', 'base') end;
      end loop;
      begin
        execute format('select count(*) from (select codecite.%I(%s)) x', r.proname, array_to_string(args, ', '));
        raise exception 'undo';
      exception when internal_error then insert into found values (r.proname || ' ' || r.proargnames[missing]);
        when others then null;
      end;
    end loop;
  end loop;
end $$;
select argument from found order by 1;
SQL
check "NULL is no internal error" "" "$(cat "$work/nulls")"

# Injection: by a reader, a writer, and the superuser, who may call everything.
# shellcheck disable=SC2016 # for Postgres
sql "$database" -c "create function public.injectable(text) returns text language plpgsql as \$\$ declare r text; begin execute 'select ''' || \$1 || '''' into r; return r; end \$\$"
payloads=("'; create table public.pwned(); --" "\$\$; create table public.pwned(); --" "\\'; create table public.pwned(); --" '%s%I%L%1$s' '{"a":[' '(?P<n>' '' '/etc/passwd' '99999999999999999999')
for role in regress_tenant_a regress_writer_a "$PGUSER"; do
  for payload in "${payloads[@]}"; do probe "$role" "$payload"; done >"$work/injected" 2>&1
  check "$role: there was something to call" yes "$([ "$(cut -f 1 "$work/injected" | sed -E 's/\(.*//' | sort -u | wc -l)" -ge 30 ] && echo yes || sort -u "$work/injected" | head -5)"
  # (An empty name is quoted, and refused by Postgres' own grammar.)
  check "$role: no argument is run as SQL" "" "$(grep -v '^public.injectable' "$work/injected" | grep -v 'zero-length delimited identifier' | grep -E '	(42601|42P01|42703|42883|42804|XX...)	|INJECTED' | cut -c 1-300 | head -10)"
  check "$role: no argument is a path" "" "$(grep 'root:x:0' "$work/injected" | head -3)"
done
check "what can be injected is seen (the trap works)" yes "$(grep '^public.injectable' "$work/injected" | grep -cE 'INJECTED|	42601	' | sed 's/^[1-9].*/yes/')"
check "nothing was made" 0 "$(sql "$database" -c "select count(*) from pg_class where relname = 'pwned'")"
sql "$database" -c "drop owned by regress_tenant_a, regress_tenant_b, regress_writer_a" -c "drop role regress_tenant_a, regress_tenant_b, regress_writer_a"
finished=yes
