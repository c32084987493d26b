-- Who may do what. Nothing is open until it is granted; grant_read opens what only reads, grant_write adds ingest and drop.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/outcome.sql'
\i :file
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_none, regress_reader, regress_writer, regress_member, "regress Odd Name";
RESET client_min_messages;
CREATE ROLE regress_none;
CREATE ROLE regress_reader;
CREATE ROLE regress_writer;
CREATE ROLE regress_member;
CREATE ROLE "regress Odd Name";
SELECT codecite.grant_read('regress_reader');
SELECT codecite.grant_write('regress_writer');
SELECT codecite.grant_read('regress_member');
SELECT codecite.grant_read('regress Odd Name');
-- Granting twice changes nothing.
SELECT codecite.grant_read('regress_reader');

-- Routines: x where the role may call it.
SELECT p.proname AS routine,
       CASE WHEN has_function_privilege('regress_none', p.oid, 'EXECUTE') THEN 'x' ELSE '-' END AS public,
       CASE WHEN has_function_privilege('regress_reader', p.oid, 'EXECUTE') THEN 'x' ELSE '-' END AS reader,
       CASE WHEN has_function_privilege('regress_writer', p.oid, 'EXECUTE') THEN 'x' ELSE '-' END AS writer
FROM pg_proc p WHERE p.pronamespace = 'codecite'::regnamespace ORDER BY p.proname;
-- Tables, views and sequences: select, insert, update, delete, truncate, references, trigger; usage.
SELECT c.relname AS relation, c.relkind AS kind, role.*
FROM pg_class c,
LATERAL (SELECT max(rights) FILTER (WHERE r = 'regress_none') AS public, max(rights) FILTER (WHERE r = 'regress_reader') AS reader,
                max(rights) FILTER (WHERE r = 'regress_writer') AS writer
         FROM unnest(ARRAY['regress_none', 'regress_reader', 'regress_writer']) r,
              LATERAL (SELECT string_agg(CASE WHEN CASE WHEN c.relkind = 'S' THEN has_sequence_privilege(r, c.oid, p.name) ELSE has_table_privilege(r, c.oid, p.name) END
                                              THEN p.letter ELSE '-' END, '' ORDER BY p.n) AS rights
                       FROM (VALUES ('r', 1, 'SELECT', 's'), ('r', 2, 'INSERT', 'i'), ('r', 3, 'UPDATE', 'u'), ('r', 4, 'DELETE', 'd'), ('r', 5, 'TRUNCATE', 't'),
                                    ('r', 6, 'REFERENCES', 'r'), ('r', 7, 'TRIGGER', 'g'), ('S', 1, 'USAGE', 'U'), ('S', 2, 'SELECT', 's'), ('S', 3, 'UPDATE', 'u')) p(kind, n, name, letter)
                       WHERE p.kind = CASE WHEN c.relkind = 'v' THEN 'r' ELSE c.relkind::text END) rights) role
WHERE c.relnamespace = 'codecite'::regnamespace AND c.relkind IN ('r', 'v', 'S') ORDER BY c.relkind, c.relname;
SELECT r AS role, has_schema_privilege(r, 'codecite', 'USAGE') AS usage, has_schema_privilege(r, 'codecite', 'CREATE') AS create
FROM unnest(ARRAY['regress_none', 'regress_reader', 'regress_writer']) r;

-- In practice. Nobody in particular:
SET ROLE regress_none;
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.version()$$);
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.search('doors')$$);
SELECT state, message FROM pg_temp.outcome($$SELECT count(*) FROM codecite.corpus$$);
-- A writer ingests,
SET ROLE regress_writer;
SELECT sections, embedded > 0 AS embedded, pending
FROM codecite.ingest(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nDoors are not less than 30 inches wide.\n', 'UTF8'), 'open-code', filename => 'doors.md');
SELECT sections FROM codecite.ingest(convert_to(E'# CHAPTER 9 VAULTS\n\n## 901.1 Zephyr vaults.\n\nVaults of Chapter 9 are not less than 9 feet high.\n', 'UTF8'), 'secret-code', filename => 'vaults.md');
SELECT chunks - codecite.embed_batch() AS left_over FROM codecite.ingest(convert_to(E'# CHAPTER 2 RAMPS\n\n## 201.1 Slope.\n\nRamps are flat.\n', 'UTF8'), 'open-code', filename => 'ramps.md', embed => false);
CALL codecite.embed_pending();
SELECT codecite.drop_document('open-code', 'ramps');
-- but does not administer.
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.build_index()$$);
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.repair()$$);
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.use_model('hash')$$);
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.add_model('x')$$);
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.restrict('open-code', 'regress_writer')$$);
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.grant_read('regress_none')$$);
SELECT state, message FROM pg_temp.outcome($$UPDATE codecite.model SET name = name$$);
SELECT state, message FROM pg_temp.outcome($$INSERT INTO codecite.access SELECT id, 'regress_writer' FROM codecite.corpus$$);
-- A reader finds, and writes nothing.
SET ROLE regress_reader;
SELECT number FROM codecite.search('how wide are doors', k => 1);
SELECT count(*) > 0 AS previews FROM codecite.preview(convert_to(E'# CHAPTER 1 DOORS\n', 'UTF8'));
SELECT vector_dims(codecite.embed('doors'));
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.ingest('# A', 'open-code')$$);
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.drop_corpus('open-code')$$);
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.drop_document('open-code', 'doors')$$);
SELECT state, message FROM pg_temp.outcome($$CALL codecite.embed_pending()$$);
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.build_index()$$);
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.repair()$$);
SELECT state, message FROM pg_temp.outcome($$DELETE FROM codecite.document$$);
SET ROLE "regress Odd Name";
SELECT number FROM codecite.search('how wide are doors', k => 1);
RESET ROLE;

-- A restricted corpus exists for its members alone.
SELECT codecite.restrict('secret-code', 'regress_member');
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.restrict('secret-code', 'regress_nobody')$$);
CREATE FUNCTION pg_temp.seen(OUT corpora text[], OUT documents bigint, OUT sections bigint, OUT chunks bigint, OUT postings bigint, OUT embeddings bigint,
                             OUT runs bigint, OUT access bigint, OUT numbers bigint, OUT found boolean, OUT section text, OUT resolved text, OUT coverage text)
LANGUAGE sql AS $$
    SELECT (SELECT array_agg(corpus ORDER BY corpus) FROM codecite.corpora()), (SELECT count(*) FROM codecite.documents('secret-code')),
           (SELECT count(*) FROM codecite.v_section WHERE corpus = 'secret-code'), (SELECT count(*) FROM codecite.v_chunk WHERE text LIKE '%Zephyr%'),
           (SELECT count(*) FROM codecite.posting WHERE term LIKE 'zephyr%'),
           (SELECT count(*) FROM codecite.embedding e WHERE NOT EXISTS (SELECT FROM codecite.corpus c WHERE c.id = e.corpus_id AND c.name = 'open-code')),
           (SELECT count(*) FROM codecite.ingest_run r WHERE NOT EXISTS (SELECT FROM codecite.corpus c WHERE c.id = r.corpus_id AND c.name = 'open-code')),
           (SELECT count(*) FROM codecite.access), (SELECT count(*) FROM codecite.v_section WHERE number = '901.1'),
           (SELECT number = '901.1' FROM codecite.search('zephyr vaults', k => 1)), (SELECT status FROM codecite.section('901.1')),
           (SELECT status FROM codecite.resolve('Section 901.1')), (SELECT coverage FROM codecite.search('Section 901.1', k => 1))
$$;
\x on
SET ROLE regress_member;
SELECT * FROM pg_temp.seen();
SET ROLE regress_reader;
SELECT * FROM pg_temp.seen();
-- The writer made it, and is no member either.
SET ROLE regress_writer;
SELECT * FROM pg_temp.seen();
-- Errors and notes do not speak of it: they are those of a corpus that does not exist.
SET ROLE regress_reader;
SELECT * FROM pg_temp.outcome($$SELECT codecite.search('doors', ARRAY['secret-code'])$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.search('doors', ARRAY['no-such-code'])$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.search('doors', chapter => '9')$$);
SELECT coverage_note FROM codecite.search('Section 901.2');
SELECT note FROM codecite.section('901.2');
SELECT models.embeddings = (SELECT count(*) FROM codecite.v_chunk) AS counts_what_is_seen, pending FROM codecite.models() WHERE in_use;
SELECT detail FROM codecite.doctor() WHERE "check" = 'corpora';
-- A writer who is no member cannot write into it: not by name, not by id, not into its documents.
RESET ROLE;
SELECT id AS secret_corpus FROM codecite.corpus WHERE name = 'secret-code' \gset
SELECT id AS open_corpus FROM codecite.corpus WHERE name = 'open-code' \gset
SELECT id AS secret_document FROM codecite.document WHERE document = 'vaults' \gset
SET ROLE regress_writer;
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest('# A', 'secret-code')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.drop_document('secret-code', 'vaults')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.drop_corpus('secret-code')$$);
SELECT state FROM pg_temp.outcome(format($$INSERT INTO codecite.section (document_id, corpus_id, ordinal, last, depth, kind, breadcrumb, body) VALUES (%s, %s, 900, 900, 0, 'section', '', 'planted')$$, :secret_document, :secret_corpus));
SELECT state <> 'no error' AS refused FROM pg_temp.outcome(format($$INSERT INTO codecite.section (document_id, corpus_id, ordinal, last, depth, kind, breadcrumb, body) VALUES (%s, %s, 901, 901, 0, 'section', '', 'planted')$$, :secret_document, :open_corpus));
SELECT state <> 'no error' AS refused FROM pg_temp.outcome(format($$UPDATE codecite.section SET document_id = %s, ordinal = ordinal + 800 WHERE number = '101.1'$$, :secret_document));
RESET ROLE;
\x off
SELECT count(*) AS planted FROM codecite.section WHERE document_id = :secret_document AND ordinal >= 800;
SELECT count(*) AS still_there FROM codecite.v_section WHERE number = '901.1';
-- A member by way of another role is a member.
GRANT regress_member TO regress_none;
SELECT codecite.grant_read('regress_none');
SET ROLE regress_none;
SELECT number FROM codecite.search('zephyr vaults', k => 1);
RESET ROLE;
-- A role that is gone lets nobody in.
REVOKE regress_member FROM regress_none;
SET client_min_messages = warning;
DROP OWNED BY regress_member;
DROP ROLE regress_member;
RESET client_min_messages;
SET ROLE regress_reader;
SELECT count(*) FROM codecite.v_section WHERE number = '901.1';
RESET ROLE;

SELECT codecite.drop_corpus('open-code'), codecite.drop_corpus('secret-code');
DROP OWNED BY regress_none, regress_reader, regress_writer, "regress Odd Name";
DROP ROLE regress_none, regress_reader, regress_writer, "regress Odd Name";
