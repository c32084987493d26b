-- Paths and limits are a superuser's: nobody else sets them or reads the paths, in whichever order things happen.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/outcome.sql'
\i :file
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_paths;
RESET client_min_messages;
CREATE ROLE regress_paths;
SELECT codecite.grant_write('regress_paths');
SET SESSION AUTHORIZATION regress_paths;
SELECT codecite.version() IS NOT NULL AS loaded;
-- (Postgres 15 says it in more words.)
SELECT name, state, regexp_replace(message, '^must be superuser or have privileges of pg_read_all_settings to', 'permission denied to') AS message
FROM unnest(ARRAY['SET codecite.model_dir = ''/tmp''', 'SET codecite.onnxruntime_library = ''/tmp/evil.so''', 'SHOW codecite.model_dir', 'SHOW codecite.onnxruntime_library',
                  'SELECT current_setting(''codecite.model_dir'')', 'SET codecite.max_input_bytes = ''1GB''', 'SET codecite.max_decoded_bytes = ''1GB''', 'SET codecite.max_memory_bytes = ''1GB''',
                  'SET codecite.max_pages = 1000000', 'SET codecite.max_blocks = 1', 'SET codecite.max_nesting = 1000', 'SET codecite.max_read_ms = 0',
                  'ALTER ROLE regress_paths SET codecite.model_dir = ''/tmp''']) WITH ORDINALITY n(name, n),
     LATERAL pg_temp.outcome(name) ORDER BY n;
SELECT name FROM pg_settings WHERE name IN ('codecite.model_dir', 'codecite.onnxruntime_library');
-- What concerns one's own answers is free.
SET codecite.passage_chars = 500;
SET codecite.rrf_k = 30;
SET codecite.inline_embed_max = 10;
RESET SESSION AUTHORIZATION;

-- Set before the library is loaded, a path does not hold either: the session starts anew here.
\c -
SET SESSION AUTHORIZATION regress_paths;
SET codecite.model_dir = '/tmp/planted';
SELECT codecite.version() IS NOT NULL AS loaded;
RESET SESSION AUTHORIZATION;
SELECT current_setting('codecite.model_dir') <> '/tmp/planted' AS not_planted;
-- The model that a superuser chose is used without showing where it is: no error names a path to them.
SET client_min_messages = warning;
DROP OWNED BY regress_paths;
DROP ROLE regress_paths;
