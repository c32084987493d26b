-- Creating and dropping the extension, with vector in whatever schema it is; in a database of its own.
SELECT current_database() AS home \gset
SET client_min_messages = warning;
DROP DATABASE IF EXISTS codecite_regress_lifecycle WITH (FORCE);
CREATE DATABASE codecite_regress_lifecycle;
\c codecite_regress_lifecycle
-- Without vector it says what is missing.
CREATE EXTENSION codecite;
CREATE SCHEMA "the vectors";
CREATE EXTENSION vector SCHEMA "the vectors";
CREATE EXTENSION codecite;
SHOW search_path;

-- Everything works with vector out of the search_path.
SELECT sections, embedded > 0 AS embedded, pending FROM codecite.ingest(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nDoors are 30 inches wide.\n', 'UTF8'), 'code', document => 'a');
SELECT number FROM codecite.search('how wide are doors', k => 1);
SELECT number FROM codecite.search('how wide are doors', k => 1, mode => 'vector');
SELECT codecite.build_index();
SET codecite.exact_search_max_chunks = 0;
SELECT number FROM codecite.search('how wide are doors', k => 1, mode => 'vector');
RESET codecite.exact_search_max_chunks;
SELECT pg_typeof(codecite.embed('doors'));
SELECT detail LIKE '%in schema "the vectors"' AS names_it FROM codecite.doctor() WHERE "check" = 'pgvector';
-- Also after vector has been moved.
CREATE SCHEMA elsewhere;
ALTER EXTENSION vector SET SCHEMA elsewhere;
SELECT number FROM codecite.search('how wide are doors', k => 1, mode => 'vector');
SELECT pg_typeof(codecite.embed('doors'));
SELECT pending FROM codecite.ingest(convert_to(E'# CHAPTER 2 RAMPS\n\n## 201.1 Slope.\n\nRamps are flat.\n', 'UTF8'), 'code', document => 'b', embed => false);
CALL codecite.embed_pending();
SELECT pending FROM codecite.models();

-- The schema is the extension's: it cannot be dropped under it, nor vector without it.
DROP SCHEMA codecite CASCADE;
\set VERBOSITY terse
DROP EXTENSION vector;
\set VERBOSITY default
-- DROP EXTENSION leaves nothing: no schema, relation, routine, type, policy or index.
DROP EXTENSION codecite;
SELECT (SELECT count(*) FROM pg_namespace WHERE nspname = 'codecite') AS schemas,
       (SELECT count(*) FROM pg_class WHERE relname LIKE 'embedding%' OR relname IN ('corpus', 'document', 'section', 'chunk', 'posting')) AS relations,
       (SELECT count(*) FROM pg_proc WHERE probin LIKE '%codecite%') AS routines, (SELECT count(*) FROM pg_policy) AS policies;
-- And it can be had again, empty.
CREATE EXTENSION codecite;
SELECT count(*) FROM codecite.corpora();
SELECT model, in_use FROM codecite.models();
DROP EXTENSION vector CASCADE;
-- CASCADE brings vector along.
CREATE EXTENSION codecite CASCADE;
SELECT vector_dims(codecite.embed('doors'));
-- The schema has to be free. (From 18 on, Postgres adds the place in the script as context.)
DROP EXTENSION codecite;
CREATE SCHEMA codecite;
\set SHOW_CONTEXT never
CREATE EXTENSION codecite;
\c :home
SET client_min_messages = warning;
DROP DATABASE codecite_regress_lifecycle WITH (FORCE);
