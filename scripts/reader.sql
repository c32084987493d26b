-- The role of the bridge in docker-compose.yml: it logs in and reads what every reader may read, nothing else. Psql runs it
-- at each start of the bridge, which sets the password anew.
\set ON_ERROR_STOP on
\getenv password CODECITE_READER_PASSWORD
SELECT length(:'password') < 16 AS is_short \gset
\if :is_short
  DO $$ BEGIN RAISE 'CODECITE_READER_PASSWORD needs 16 or more characters'; END $$;
\endif
-- The password must not stand in the server's log.
SET log_statement = 'none';
SET log_min_duration_statement = -1;
SET log_min_error_statement = 'panic';
SELECT 'CREATE ROLE codecite_reader' WHERE to_regrole('codecite_reader') IS NULL \gexec
ALTER ROLE codecite_reader LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
ALTER ROLE codecite_reader SET default_transaction_read_only = on;
SELECT codecite.grant_read('codecite_reader');
