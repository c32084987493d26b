-- repair() puts right what a restore or a build that was cut off leaves, says what it did, and then has nothing to do; in a
-- database of its own.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/outcome.sql'
SELECT current_database() AS home \gset
SET client_min_messages = warning;
DROP DATABASE IF EXISTS codecite_regress_repair WITH (FORCE);
DROP ROLE IF EXISTS regress_repair_reader, regress_repair_writer;
CREATE DATABASE codecite_regress_repair;
\c codecite_regress_repair
\i :file
CREATE EXTENSION vector;
CREATE EXTENSION codecite;
-- Of a new database every table is analyzed, once.
SELECT what, count(*) = (SELECT count(*) FROM pg_class WHERE relnamespace = 'codecite'::regnamespace AND relkind = 'r') AS every_table
FROM codecite.repair() GROUP BY what;
SELECT * FROM codecite.repair();

-- Two models whose index is wanted; one of them has the other's form.
INSERT INTO codecite.model (name, dimension, max_tokens, wants_index) VALUES ('full', 3, 100, 'vector'), ('Half "quoted"', 4, 100, 'halfvec');
CREATE INDEX embedding_model_3 ON codecite.embedding ((1)) WHERE model_id = 3;
SELECT detail, fix FROM codecite.doctor() WHERE "check" = 'index' ORDER BY 1;
SELECT * FROM codecite.repair();
SELECT indexrelid::regclass FROM pg_index WHERE indrelid = 'codecite.embedding'::regclass AND indexrelid::regclass::text LIKE '%embedding_model%' ORDER BY 1;
SELECT model, indexed FROM codecite.models();
-- Invalid indexes: one is built again, what REINDEX CONCURRENTLY left of its copy goes.
CREATE INDEX section_parent_ccnew1 ON codecite.section (parent);
UPDATE pg_index SET indisvalid = false
WHERE indexrelid IN ('codecite.section_parent'::regclass, 'codecite.section_parent_ccnew1'::regclass, 'codecite.embedding_model_2'::regclass);
SELECT model, indexed FROM codecite.models();
SELECT * FROM codecite.repair();
SELECT count(*) FROM pg_index WHERE NOT indisvalid;
SELECT to_regclass('codecite.section_parent_ccnew1') AS copy;
SELECT model, indexed FROM codecite.models();
-- Rights, by kind.
CREATE ROLE regress_repair_reader;
CREATE ROLE regress_repair_writer;
SELECT codecite.grant_read('regress_repair_reader'), codecite.grant_write('regress_repair_writer');
SELECT * FROM codecite.repair();
REVOKE EXECUTE ON FUNCTION codecite.toc FROM regress_repair_reader, regress_repair_writer;
REVOKE EXECUTE ON FUNCTION codecite.drop_corpus FROM regress_repair_writer;
SELECT * FROM codecite.repair();
SELECT count(*) FROM codecite.missing_grants();
SELECT has_function_privilege('regress_repair_reader', 'codecite.drop_corpus(text)', 'EXECUTE') AS reader,
       has_function_privilege('regress_repair_writer', 'codecite.drop_corpus(text)', 'EXECUTE') AS writer;
-- All at once.
DROP INDEX codecite.embedding_model_2;
REVOKE SELECT ON codecite.v_chunk FROM regress_repair_reader;
UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'codecite.section_parent'::regclass;
SELECT * FROM codecite.repair();
SELECT * FROM codecite.repair();
-- Where nothing is to be done it may be asked for in a read-only transaction; else that is refused as a whole.
BEGIN READ ONLY;
SELECT * FROM codecite.repair();
COMMIT;
DROP INDEX codecite.embedding_model_2;
BEGIN READ ONLY;
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.repair()$$);
COMMIT;
-- The owner's alone: also where the right to call it was given.
SET ROLE regress_repair_writer;
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.repair()$$);
RESET ROLE;
GRANT EXECUTE ON FUNCTION codecite.repair TO regress_repair_writer;
SET ROLE regress_repair_writer;
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.repair()$$);
RESET ROLE;
SELECT model, indexed FROM codecite.models() WHERE model = 'full';
DROP OWNED BY regress_repair_reader, regress_repair_writer;
\c :home
SET client_min_messages = warning;
DROP DATABASE codecite_regress_repair WITH (FORCE);
DROP ROLE regress_repair_reader, regress_repair_writer;
