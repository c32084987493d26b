-- Embeddings with the built-in model, which needs no files: made at ingest, or later, in batches that are committed.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/outcome.sql'
\i :file
SELECT vector_dims(codecite.embed('doors')) AS dimensions, round(vector_norm(codecite.embed('doors'))::numeric, 3) AS norm;
SELECT codecite.embed('doors') = codecite.embed('doors') AS same_text, codecite.embed('doors') = codecite.embed('windows') AS other_text,
       codecite.embed('dead-end corridors') = codecite.embed('Dead end corridor') AS same_words;
SELECT codecite.embed('doors', 'query') IS NOT NULL AS as_query, codecite.embed(NULL) IS NULL AS of_null, vector_dims(codecite.embed('')) AS of_nothing,
       vector_dims(codecite.embed(repeat('doors ', 100000))) AS of_much;

-- At ingest everything is embedded; embed => false leaves it pending, and a search says that it has only words to go by.
CREATE TEMPORARY TABLE code AS
SELECT string_agg(format(E'# CHAPTER %s PART %s\n\n## %s01.1 Doors %s.\n\nDoor number %s is %s inches wide.\n\n', i, i, i, i, i, i + 30), '' ORDER BY i) AS content FROM generate_series(1, 20) i;
SELECT sections, chunks, embedded, pending FROM codecite.ingest(convert_to((SELECT content FROM code), 'UTF8'), 'embedded', document => 'a');
SELECT sections, chunks, embedded, pending FROM codecite.ingest(convert_to((SELECT content FROM code), 'UTF8'), 'waiting', document => 'a', embed => false);
SELECT corpus, chunks, pending FROM codecite.corpora();
SELECT model, dimension, in_use, embeddings, pending, indexed FROM codecite.models();
SELECT coverage_note LIKE '%no embeddings for the model in use: searched by words only%' AS says_so, number FROM codecite.search('door number 7', ARRAY['waiting'], 1);
SELECT coverage_note LIKE '%embeddings%' AS says_so FROM codecite.search('door number 7', ARRAY['embedded'], 1);
SELECT status, detail, fix FROM codecite.doctor() WHERE "check" = 'embeddings';

-- Inside a transaction block the procedure refuses; embed_batch() works there, as far as it is told.
BEGIN;
\set SHOW_CONTEXT never
CALL codecite.embed_pending();
\echo :LAST_ERROR_SQLSTATE
ROLLBACK;
SELECT state, message, hint FROM pg_temp.outcome($$CALL codecite.embed_pending()$$);
BEGIN;
SELECT codecite.embed_batch(batch => 3);
ROLLBACK;
SELECT pending FROM codecite.models();
SELECT codecite.embed_batch(batch => 3), codecite.embed_batch(batch => 0);
SELECT pending FROM codecite.models();
-- Half done: a search still says that something waits.
SELECT coverage_note LIKE '%embeddings%' AS says_so FROM codecite.search('door number 7', ARRAY['waiting'], 1);
-- Outside a block it does the rest; a second call finds nothing to do.
CALL codecite.embed_pending(batch => 7);
SELECT pending FROM codecite.models();
CALL codecite.embed_pending();
SELECT corpus, pending FROM codecite.corpora();
-- The same vectors, whichever way they were made.
SELECT count(*) AS chunks, count(*) FILTER (WHERE a.embedding = b.embedding) AS same
FROM codecite.embedding a JOIN codecite.embedding b USING (chunk)
WHERE a.corpus_id = (SELECT id FROM codecite.corpus WHERE name = 'embedded') AND b.corpus_id = (SELECT id FROM codecite.corpus WHERE name = 'waiting');

-- Above codecite.inline_embed_max the chunks wait, with a notice.
SET codecite.inline_embed_max = 5;
SELECT chunks, embedded, pending FROM codecite.ingest(convert_to((SELECT content FROM code), 'UTF8'), 'large', document => 'a');
RESET codecite.inline_embed_max;
CALL codecite.embed_pending('hash');

-- A vector of one's own: of the right size.
SELECT number FROM codecite.search('', ARRAY['embedded'], 1, mode => 'vector', query_vector => codecite.embed_array('Door number 7 is 37 inches wide', 'query'));
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.search('doors', query_vector => ARRAY[0.5]::real[])$$);
-- The index: built by its name, used above the threshold, the same first answer.
SELECT codecite.build_index('hash');
SELECT indexed FROM codecite.models();
SET codecite.exact_search_max_chunks = 0;
SELECT number FROM codecite.search('Door number 7 is 37 inches wide', ARRAY['embedded'], 1, mode => 'vector');
-- With half the precision it takes the other one's place, and is the one that is used.
SELECT codecite.build_index('hash', half => true);
SELECT indexrelid::regclass FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
WHERE i.indrelid = 'codecite.embedding'::regclass AND a.amname = 'hnsw';
SELECT indexed FROM codecite.models();
SELECT number FROM codecite.search('Door number 7 is 37 inches wide', ARRAY['embedded'], 1, mode => 'vector');
RESET codecite.exact_search_max_chunks;
DROP INDEX codecite.embedding_model_1_half;
-- Which model is in use.
SELECT codecite.use_model('hash');
SELECT state, message, hint FROM pg_temp.outcome($$SELECT codecite.use_model('hsah')$$);
CALL codecite.embed_pending('hsah');
\echo :LAST_ERROR_SQLSTATE
-- The vectors of a document go with it.
SELECT codecite.drop_corpus('embedded'), codecite.drop_corpus('waiting'), codecite.drop_corpus('large');
SELECT count(*) FROM codecite.embedding;
-- A model is dropped with its vectors, but not the one in use, and never the built-in one.
INSERT INTO codecite.model (name, dimension, max_tokens) VALUES ('spare', 384, 256);
SELECT codecite.drop_model('spare') AS vectors;
SELECT codecite.drop_model('spare');
SELECT codecite.drop_model('hash');
