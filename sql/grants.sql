-- Nothing is open until it is granted. No roles are created.

CREATE FUNCTION codecite.grant_read(role name)
RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    f regprocedure;
BEGIN
    EXECUTE format('GRANT USAGE ON SCHEMA codecite TO %I', role);
    EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA codecite TO %I', role);
    FOR f IN SELECT p.oid FROM pg_proc p
             WHERE p.pronamespace = 'codecite'::regnamespace AND p.provolatile <> 'v' LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO %I', f, role);
    END LOOP;
    -- They write nothing, although they read a whole file.
    EXECUTE format('GRANT EXECUTE ON FUNCTION codecite.preview, codecite.inspect TO %I', role);
END $$;
COMMENT ON FUNCTION codecite.grant_read IS 'Lets a role search and look up: usage, select and execute on what only reads.';

CREATE FUNCTION codecite.grant_write(role name)
RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    f regprocedure;
BEGIN
    PERFORM codecite.grant_read(role);
    -- Whether a corpus is restricted is the owner's business.
    EXECUTE format('GRANT INSERT (name, title, jurisdiction), UPDATE (title, jurisdiction), DELETE ON codecite.corpus TO %I', role);
    EXECUTE format('GRANT INSERT, UPDATE, DELETE ON codecite.document, codecite.section, codecite.chunk, codecite.definition,
                    codecite.posting, codecite.reference, codecite.amendment, codecite.embedding, codecite.ingest_run TO %I', role);
    -- A profile belongs to whoever adds it: the owner is not given.
    EXECUTE format('GRANT INSERT (name, definition), UPDATE (definition), DELETE ON codecite.profile TO %I', role);
    EXECUTE format('GRANT USAGE ON ALL SEQUENCES IN SCHEMA codecite TO %I', role);
    FOR f IN SELECT p.oid FROM pg_proc p
             WHERE p.pronamespace = 'codecite'::regnamespace AND p.proname = ANY (codecite.writer_functions()) LOOP
        EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO %I', f, role);
    END LOOP;
END $$;
COMMENT ON FUNCTION codecite.grant_write IS 'Lets a role ingest, embed and drop documents and add profiles, besides what grant_read gives.';

-- pgrx writes no search_path for the functions in C; they touch only qualified names, and this pins them too.
DO $$
DECLARE
    f regprocedure;
BEGIN
    FOR f IN SELECT p.oid FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_language l ON l.oid = p.prolang
             WHERE p.pronamespace = 'codecite'::regnamespace AND l.lanname = 'c' LOOP
        EXECUTE pg_catalog.format('ALTER FUNCTION %s SET search_path = pg_catalog, pg_temp', f);
    END LOOP;
END $$;

REVOKE ALL ON SCHEMA codecite FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA codecite FROM PUBLIC;
REVOKE ALL ON ALL ROUTINES IN SCHEMA codecite FROM PUBLIC;
