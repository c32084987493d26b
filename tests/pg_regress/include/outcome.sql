-- pg_temp.outcome(statement): runs a statement and tells how it ended, so that a test can show the whole error.
\set ECHO none
CREATE FUNCTION pg_temp.outcome(statement text, OUT state text, OUT message text, OUT detail text, OUT hint text)
LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE statement;
    state := 'no error';
EXCEPTION WHEN others THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL,
                            hint = PG_EXCEPTION_HINT;
END $$;
\set ECHO all
