-- A hostile schema first in search_path, and in pg_temp, changes nothing: no function, operator, table or type of it is ever used.
CREATE TABLE public.results (phase text, verb text, result text);
SELECT sections FROM codecite.ingest(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nDoors are not less than 30 inches wide. See Section 101.2 and Table 101.1.\n\n**Table 101.1 Widths**\n\n| Door | Width |\n|---|---|\n| Main | 30 |\n\n## 101.2 Height.\n\nDoors are 80 inches high.\n\n**Exception:** Low doors.\n', 'UTF8'),
                                     'path-code', edition => '2024', effective => '[2024-01-01,)', filename => 'doors.md');
INSERT INTO public.results
    SELECT 'before', 'search', s::text FROM codecite.search('how wide are doors', ARRAY['path-code'], 3, as_of => '2024-06-01') s
    UNION ALL SELECT 'before', 'search exact', s::text FROM codecite.search('Section 101.2 exception', ARRAY['path-code'], 3, chapter => '1', kinds => ARRAY['exception', 'body']) s
    UNION ALL SELECT 'before', 'search missing', s::text FROM codecite.search('Section 101.9', ARRAY['path-code']) s
    UNION ALL SELECT 'before', 'ask', s::text FROM codecite.ask('how wide are doors', 2, ARRAY['path-code']) s
    UNION ALL SELECT 'before', 'section', s::text FROM codecite.section('101.1', 'path-code', as_of => '2024-06-01') s
    UNION ALL SELECT 'before', 'section missing', s::text FROM codecite.section('101.9', 'path-code') s
    UNION ALL SELECT 'before', 'toc', s::text FROM codecite.toc('path-code') s
    UNION ALL SELECT 'before', 'resolve', s::text FROM codecite.resolve('See Sections 101.1 and 101.9.', 'path-code') s
    UNION ALL SELECT 'before', 'corpora', s::text FROM codecite.corpora() s
    UNION ALL SELECT 'before', 'models', s::text FROM codecite.models() s
    UNION ALL SELECT 'before', 'doctor', s::text FROM codecite.doctor() s
    UNION ALL SELECT 'before', 'preview', s::text FROM codecite.preview(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nWide.\n', 'UTF8')) s
    UNION ALL SELECT 'before', 'embed', codecite.embed('doors')::text
    UNION ALL SELECT 'before', 'terms', codecite.terms('Group I-2 doors')::text
    UNION ALL SELECT 'before', 'views', count(*)::text FROM codecite.v_section;

-- The hostile schema: every plain function and operator over common types, each raising an error, and tables of our names.
CREATE SCHEMA hostile;
DO $$
DECLARE
    f record;
BEGIN
    FOR f IN SELECT DISTINCT p.proname, pg_get_function_identity_arguments(p.oid) AS args, p.prorettype::regtype AS returns
             FROM pg_proc p WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.prokind = 'f' AND NOT p.proretset AND p.provariadic = 0
               AND p.proname IN ('lower', 'upper', 'btrim', 'length', 'substr', 'substring', 'format', 'now', 'version', 'current_setting', 'quote_literal', 'quote_ident', 'to_regclass', 'pg_has_role',
                                 'hashtextextended', 'pg_advisory_xact_lock', 'string_to_array', 'jsonb_array_length', 'array_length', 'cardinality', 'concat', 'decode', 'encode', 'convert_to', 'position')
               AND NOT EXISTS (SELECT FROM unnest(p.proargtypes::oid[] || p.prorettype) t JOIN pg_type ty ON ty.oid = t WHERE ty.typtype = 'p') LOOP
        EXECUTE format('CREATE FUNCTION hostile.%I(%s) RETURNS %s LANGUAGE plpgsql AS $f$ BEGIN RAISE EXCEPTION ''hijacked: %s''; END $f$', f.proname, f.args, f.returns, f.proname);
    END LOOP;
    FOR f IN SELECT o.oprname AS name, o.oprleft::regtype AS l, o.oprright::regtype AS r, o.oprresult::regtype AS result, row_number() OVER () AS n
             FROM pg_operator o WHERE o.oprnamespace = 'pg_catalog'::regnamespace AND o.oprkind = 'b' AND o.oprresult <> 0
               AND o.oprname IN ('=', '<>', '<', '>', '<=', '>=', '||', '@>', '&&', '+', '-', '*', '/', '~')
               AND o.oprleft IN ('text'::regtype, 'name'::regtype, 'int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'bytea'::regtype, 'date'::regtype, 'bool'::regtype, 'oid'::regtype, 'timestamptz'::regtype, 'float4'::regtype, 'float8'::regtype)
               AND o.oprright IN ('text'::regtype, 'name'::regtype, 'int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'bytea'::regtype, 'date'::regtype, 'bool'::regtype, 'oid'::regtype, 'timestamptz'::regtype, 'float4'::regtype, 'float8'::regtype)
               AND o.oprname !~ '[(]' LOOP
        EXECUTE format('CREATE FUNCTION hostile.op_%s(%s, %s) RETURNS %s LANGUAGE plpgsql AS $f$ BEGIN RAISE EXCEPTION ''hijacked operator''; END $f$', f.n, f.l, f.r, f.result);
        EXECUTE format('CREATE OPERATOR hostile.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = hostile.op_%s)', f.name, f.l, f.r, f.n);
    END LOOP;
END $$;
CREATE FUNCTION hostile.distance(vector, vector) RETURNS float8 LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'hijacked operator <=>'; END $$;
CREATE OPERATOR hostile.<=> (LEFTARG = vector, RIGHTARG = vector, FUNCTION = hostile.distance);
CREATE TYPE hostile.vector AS (x integer);
CREATE TABLE hostile.corpus (id bigint, name text);
CREATE TABLE hostile.document (id bigint);
SELECT count(*) > 20 AS many_functions FROM pg_proc WHERE pronamespace = 'hostile'::regnamespace AND proname NOT LIKE 'op\_%';
SELECT count(*) > 100 AS many_operators FROM pg_operator WHERE oprnamespace = 'hostile'::regnamespace;
CREATE TEMPORARY TABLE corpus (id bigint, name text);
CREATE TEMPORARY TABLE document (id bigint);
CREATE TEMPORARY TABLE section (id bigint);
CREATE TEMPORARY TABLE chunk (id bigint);
CREATE TEMPORARY TABLE embedding (id bigint);
CREATE TEMPORARY TABLE pg_class (oid oid, relname name);
CREATE TEMPORARY TABLE pg_extension (extname name);
CREATE TYPE pg_temp.vector AS (x integer);
CREATE TYPE pg_temp.int4 AS (x integer);

-- The trap works:
SET search_path = hostile, pg_temp, pg_catalog, public;
SELECT lower('A');
SELECT 1 = 1;
-- and codecite does not step into it.
INSERT INTO public.results
    SELECT 'after', 'search', s::pg_catalog.text FROM codecite.search('how wide are doors', ARRAY['path-code'], 3, as_of => '2024-06-01') s
    UNION ALL SELECT 'after', 'search exact', s::pg_catalog.text FROM codecite.search('Section 101.2 exception', ARRAY['path-code'], 3, chapter => '1', kinds => ARRAY['exception', 'body']) s
    UNION ALL SELECT 'after', 'search missing', s::pg_catalog.text FROM codecite.search('Section 101.9', ARRAY['path-code']) s
    UNION ALL SELECT 'after', 'ask', s::pg_catalog.text FROM codecite.ask('how wide are doors', 2, ARRAY['path-code']) s
    UNION ALL SELECT 'after', 'section', s::pg_catalog.text FROM codecite.section('101.1', 'path-code', as_of => '2024-06-01') s
    UNION ALL SELECT 'after', 'section missing', s::pg_catalog.text FROM codecite.section('101.9', 'path-code') s
    UNION ALL SELECT 'after', 'toc', s::pg_catalog.text FROM codecite.toc('path-code') s
    UNION ALL SELECT 'after', 'resolve', s::pg_catalog.text FROM codecite.resolve('See Sections 101.1 and 101.9.', 'path-code') s
    UNION ALL SELECT 'after', 'corpora', s::pg_catalog.text FROM codecite.corpora() s
    UNION ALL SELECT 'after', 'models', s::pg_catalog.text FROM codecite.models() s
    UNION ALL SELECT 'after', 'doctor', s::pg_catalog.text FROM codecite.doctor() s
    UNION ALL SELECT 'after', 'preview', s::pg_catalog.text FROM codecite.preview(pg_catalog.convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nWide.\n', 'UTF8')) s
    UNION ALL SELECT 'after', 'embed', codecite.embed('doors')::pg_catalog.text
    UNION ALL SELECT 'after', 'terms', codecite.terms('Group I-2 doors')::pg_catalog.text
    UNION ALL SELECT 'after', 'views', count(*)::pg_catalog.text FROM codecite.v_section;
-- What writes, too.
SELECT sections, embedded, superseded FROM codecite.ingest(pg_catalog.convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nDoors are 32 inches wide.\n', 'UTF8'),
    'path-code', edition => '2027', effective => '[2027-01-01,)', document => 'doors');
SELECT pending FROM codecite.ingest(pg_catalog.convert_to(E'# CHAPTER 2 RAMPS\n\n## 201.1 Slope.\n\nFlat.\n', 'UTF8'), 'path-code', document => 'ramps', embed => false);
CALL codecite.embed_pending();
SELECT codecite.build_index();
SET codecite.exact_search_max_chunks = 0;
SELECT count(*) FROM codecite.search('how wide are doors', ARRAY['path-code'], 1, mode => 'vector');
RESET codecite.exact_search_max_chunks;
SELECT codecite.use_model('hash');
SELECT codecite.drop_document('path-code', 'ramps');
SELECT codecite.drop_document('path-code', 'doors', 'base', '2027');
SELECT codecite.drop_corpus('path-code');
RESET search_path;

SELECT verb, count(*) FILTER (WHERE phase = 'before') > 0 AS some, array_agg(result ORDER BY result) FILTER (WHERE phase = 'before') = array_agg(result ORDER BY result) FILTER (WHERE phase = 'after') AS same
FROM public.results GROUP BY verb ORDER BY verb;
DROP INDEX codecite.embedding_model_1;
SET client_min_messages = warning;
DROP SCHEMA hostile CASCADE;
DROP TABLE public.results;
