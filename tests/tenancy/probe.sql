-- Calls every routine of the schema codecite that the current role may call, each text argument in turn being VALUE and the
-- others something ordinary, and says what came back: rows as text, or the whole error. Whatever a call does is undone.
CREATE FUNCTION public.literal(type text, value text, corpus text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE type
        WHEN 'text' THEN quote_literal(value) || '::text'
        WHEN 'name' THEN quote_literal(value) || '::name'
        WHEN 'text[]' THEN format('ARRAY[%L]::text[]', value)
        WHEN 'bytea' THEN format('convert_to(%L, ''UTF8'')', E'# CHAPTER 1 PART\n\n## 101.1 Doors.\n\n' || value)
        WHEN 'jsonb' THEN format('to_jsonb(%L::text)', value)
        WHEN 'json' THEN format('to_json(%L::text)', value)
        WHEN 'integer' THEN '3' WHEN 'bigint' THEN '1'
        WHEN 'bigint[]' THEN '(SELECT array_agg(i::bigint) FROM generate_series(1, 100) i)'
        WHEN 'boolean' THEN 'true' WHEN 'double precision' THEN '1.0' WHEN 'real' THEN '1.0'
        ELSE 'NULL::' || type END
$$;

CREATE FUNCTION public.probe(value text, corpus text) RETURNS TABLE (call text, state text, output text) LANGUAGE plpgsql AS $$
DECLARE
    routine record;
    args text[];
    names text[];
    types text[];
    varied integer;
    message text;
    detail text;
    hint text;
BEGIN
    FOR routine IN
        SELECT p.oid, p.proname, p.pronargs, p.proargnames, p.proargtypes::oid[] AS argtypes, n.nspname
        FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE (n.nspname = 'codecite' OR p.proname = 'injectable') AND p.prokind = 'f'
          AND has_schema_privilege(n.oid, 'USAGE') AND has_function_privilege(p.oid, 'EXECUTE')
        ORDER BY p.proname
    LOOP
        SELECT COALESCE(array_agg(format_type(t, NULL) ORDER BY n), '{}') INTO types
        FROM unnest(routine.argtypes) WITH ORDINALITY t(t, n);
        names := COALESCE(routine.proargnames, '{}');
        FOR varied IN 0 .. routine.pronargs LOOP
            -- 0: everything is the value; else one argument is, and the others are NULL or name the corpus.
            args := '{}';
            FOR i IN 1 .. routine.pronargs LOOP
                args := args || CASE
                    WHEN varied IN (0, i) THEN public.literal(types[i], value, corpus)
                    WHEN names[i] IN ('corpus', 'corpora', 'corpus_a', 'corpus_b') THEN public.literal(types[i], corpus, corpus)
                    WHEN names[i] IN ('layer', 'as_of', 'edition', 'edition_a', 'edition_b', 'chapter', 'kinds', 'effective', 'query_vector') THEN 'NULL::' || types[i]
                    WHEN types[i] = 'text' AND names[i] = 'purpose' THEN '''query'''
                    WHEN types[i] = 'text' AND names[i] = 'mode' THEN '''hybrid'''
                    WHEN types[i] = 'text' AND names[i] IN ('profile') THEN '''auto'''
                    ELSE public.literal(types[i], '901.2', corpus) END;
            END LOOP;
            -- Each ingest is slow; its arguments are tried one by one only where the value is short.
            CONTINUE WHEN varied > 1 AND routine.proname IN ('ingest', 'preview', 'inspect') AND length(value) > 40;
            CONTINUE WHEN varied > 0 AND types[varied] NOT IN ('text', 'name', 'text[]', 'bytea', 'jsonb');
            call := format('%I.%I(%s)', routine.nspname, routine.proname, array_to_string(args, ', '));
            BEGIN
                EXECUTE format('SELECT string_agg(r::text, E''\n'') FROM (SELECT r FROM %s r LIMIT 200) r', call) INTO output;
                RAISE EXCEPTION USING ERRCODE = 'UNDO0', MESSAGE = COALESCE(output, ''),
                    DETAIL = CASE WHEN to_regclass('public.pwned') IS NULL THEN '' ELSE 'INJECTED' END;
            EXCEPTION WHEN OTHERS THEN
                GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
                state := SQLSTATE;
                output := translate(concat_ws(' | ', message, detail, hint), E'\n\t', '  ');
                call := translate(call, E'\n\t', '  ');
                RETURN NEXT;
            END;
        END LOOP;
    END LOOP;
END $$;
