#!/usr/bin/env bash
# Writes the reference in docs/SQL.md, between its markers, from the catalog of an installed extension: functions, views,
# tables and settings with their comments. `sql-docs.sh --check` writes nothing and fails where the page is out of date.
#
# It uses the private server (make up) and a database of its own there, so that what is described is what is installed now.
# DATABASE_URL=… describes the extension in that database instead (as a superuser: it makes roles and rolls them back).
. "$(dirname "$0")/lib.sh"

page="$repo/docs/SQL.md"
begin='<!-- begin: written by scripts/sql-docs.sh -->'
end='<!-- end: written by scripts/sql-docs.sh -->'

case "${1:-}" in
  '' | --check) ;;
  *) die "unknown argument: $1" "Run: scripts/sql-docs.sh [--check]" ;;
esac
for marker in "$begin" "$end"; do
  [ "$(grep -cxF -- "$marker" "$page")" = 1 ] || die "docs/SQL.md must have this line once: $marker"
done

# The private server's environment has one, too: of a database that may be older than what is installed.
given="${DATABASE_URL:-}"
if [ -n "$given" ]; then
  psql=("${PG_BINDIR:+$PG_BINDIR/}psql" -d "$given")
else
  environment="$("$scripts/server.sh" env)" || exit 1
  eval "$environment"
  psql=("$PG_BINDIR/psql")
fi
psql+=(-X -q -A -t -v ON_ERROR_STOP=1 -P pager=off)

work="$(mktemp -d)"
made=""
tidy() {
  rm -rf "$work"
  [ -z "$made" ] || "${psql[@]}" -d postgres -c "drop database if exists $made with (force)"
}
trap tidy EXIT

database=()
if [ -z "$given" ]; then
  made="codecite_sql_docs_$$"
  "${psql[@]}" -d postgres -c "create database $made"
  database=(-d "$made")
  "${psql[@]}" "${database[@]}" -c "create extension vector" -c "create extension codecite"
fi

"${psql[@]}" "${database[@]}" >"$work/reference" <<'SQL'
BEGIN;
-- Who may run what is asked of the grants themselves: two roles, rolled back at the end.
CREATE ROLE codecite_sql_docs_reader;
CREATE ROLE codecite_sql_docs_writer;
\o /dev/null
-- Loads the library, so that its settings are known.
SELECT codecite.version();
SELECT codecite.grant_read('codecite_sql_docs_reader'), codecite.grant_write('codecite_sql_docs_writer');
\o

-- Groups and their order; a function that is in none comes last, under "Others".
CREATE TEMPORARY TABLE grouped ON COMMIT DROP AS
SELECT title, place, name, item
FROM (VALUES
    ('Ask', 1, ARRAY['search', 'ask', 'section', 'context', 'table_of', 'define', 'toc', 'resolve', 'verify', 'coverage']),
    ('Load', 2, ARRAY['ingest', 'inspect', 'preview', 'profiles', 'add_profile', 'drop_profile']),
    ('Keep house', 3, ARRAY['corpora', 'documents', 'amendments', 'amended', 'compare', 'dangling', 'drop_document', 'drop_corpus']),
    ('Models and embeddings', 4, ARRAY['models', 'add_model', 'use_model', 'drop_model', 'embed', 'embed_pending', 'embed_batch', 'pending', 'put_embeddings', 'build_index']),
    ('Operate', 5, ARRAY['doctor', 'repair', 'version', 'grant_read', 'grant_write', 'restrict']),
    ('Building blocks', 6, ARRAY['documents_in_force', 'locate', 'address', 'canonical_number', 'number_key', 'cite', 'mentions', 'terms', 'term_key', 'wrap',
                                 'embed_array', 'in_transaction_block'])
) g(title, place, names), unnest(g.names) WITH ORDINALITY n(name, item);

CREATE TEMPORARY TABLE routine ON COMMIT DROP AS
SELECT p.oid, p.proname AS name, COALESCE(g.title, 'Others') AS title, COALESCE(g.place, 99) AS place,
       COALESCE(g.item, 0) AS item, p.prokind = 'p' AS is_procedure,
       COALESCE(replace(obj_description(p.oid, 'pg_proc'), E'\n', ' '), 'No comment.') AS comment,
       CASE p.provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END AS volatility,
       CASE WHEN has_function_privilege('codecite_sql_docs_reader', p.oid, 'EXECUTE') THEN 'readers'
            WHEN has_function_privilege('codecite_sql_docs_writer', p.oid, 'EXECUTE') THEN 'writers'
            ELSE 'the owner' END AS allowed,
       regexp_replace(pg_get_function_arguments(p.oid), '::[a-z][a-z ]*(\[\])?|\mIN ', '', 'g') AS arguments, pg_get_function_result(p.oid) AS result,
       p.proargnames AS names, COALESCE(p.proallargtypes, p.proargtypes::oid[]) AS types, p.proargmodes AS modes, p.proretset
FROM pg_proc p LEFT JOIN grouped g ON g.name = p.proname
WHERE p.pronamespace = 'codecite'::regnamespace;

-- Arguments one by one: the declarations are split where pg_get_function_arguments joined them, whose parts hold no ", ".
SELECT E'\n' || CASE WHEN lag(r.title) OVER w IS DISTINCT FROM r.title THEN '## ' || r.title || E'\n\n' ELSE '' END
    || '### ' || r.name || E'\n\n' || r.comment || E'\n\n```sql\n'
    || CASE WHEN r.is_procedure THEN 'CALL ' ELSE '' END || 'codecite.' || r.name || '('
    || CASE WHEN length(r.arguments) > 90 THEN E'\n    ' || replace(r.arguments, ', ', E',\n    ') || E'\n' ELSE r.arguments END
    || ')' || CASE WHEN r.is_procedure OR r.result LIKE 'TABLE(%' THEN '' ELSE ' → ' || r.result END || E'\n```\n\n'
    || COALESCE((SELECT 'Rows: ' || string_agg('`' || r.names[i] || '` ' || format_type(r.types[i], NULL), ', ' ORDER BY i) || E'.\n\n'
                 FROM generate_subscripts(r.modes, 1) i WHERE r.modes[i] = 't'), '')
    || CASE WHEN r.is_procedure THEN 'Procedure' ELSE initcap(r.volatility) END || '; for ' || r.allowed || '.'
FROM routine r
WINDOW w AS (ORDER BY r.place, r.item, r.name)
ORDER BY r.place, r.item, r.name;

SELECT E'\n## Views\n\nTheir columns do not change within a major version. They show what the caller may see.';
SELECT E'\n### ' || c.relname || E'\n\n' || initcap(left(obj_description(c.oid, 'pg_class'), 1))
    || substr(obj_description(c.oid, 'pg_class'), 2) || E'.\n\n'
    || 'Columns: ' || string_agg('`' || a.attname || '` ' || format_type(a.atttypid, a.atttypmod), ', ' ORDER BY a.attnum) || '.'
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relnamespace = 'codecite'::regnamespace AND c.relkind = 'v'
GROUP BY c.oid, c.relname ORDER BY c.relname;

SELECT E'\n## Tables\n\nReadable by whoever has `grant_read`; written by the functions above.\n';
SELECT E'| table | what a row is | columns |\n|---|---|---|';
SELECT '| `' || c.relname || '` | ' || replace(obj_description(c.oid, 'pg_class'), E'\n', ' ') || ' | '
    || string_agg('`' || a.attname || '`', ' ' ORDER BY a.attnum) || ' |'
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relnamespace = 'codecite'::regnamespace AND c.relkind = 'r'
GROUP BY c.oid, c.relname ORDER BY c.relname;

SELECT E'\n## Settings\n\nSettings are there once the library is loaded in a session: call any function first, or preload it.\n';
SELECT E'| setting | default | range | who sets it | what it is |\n|---|---|---|---|---|';
SELECT '| `' || s.name || '` | ' || COALESCE('`' || NULLIF(s.boot_val, '') || COALESCE(' ' || s.unit, '') || '`', 'empty') || ' | '
    || CASE WHEN s.min_val IS NOT NULL THEN s.min_val || ' to ' || s.max_val ELSE '' END || ' | '
    || CASE s.context WHEN 'user' THEN 'anyone' ELSE 'superusers' END || ' | '
    || concat_ws(' ', s.short_desc, NULLIF(s.extra_desc, '')) || ' |'
FROM pg_settings s WHERE s.name LIKE 'codecite.%' ORDER BY s.name;
ROLLBACK;
SQL

# What stands before and after the markers stays as it is.
awk -v begin="$begin" -v end="$end" -v reference="$work/reference" '
  $0 == end { inside = 0 }
  !inside { print }
  $0 == begin { inside = 1; while ((getline line < reference) > 0) print line; print "" }' "$page" >"$work/page"

if cmp -s "$work/page" "$page"; then
  say "docs/SQL.md is up to date"
elif [ "${1:-}" = --check ]; then
  diff -u "$page" "$work/page" >&2 || true
  die "docs/SQL.md is out of date" "Run: scripts/sql-docs.sh"
else
  cat "$work/page" >"$page"
  say "docs/SQL.md written"
fi
