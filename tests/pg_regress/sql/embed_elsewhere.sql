-- Vectors that another machine computes: what waits for one, and what is brought. The model is the built-in one, whose
-- vectors this database can compute as well, so that the two can be compared.
SELECT chunks FROM codecite.ingest(convert_to(
    E'# CHAPTER 3 ROOMS\n\n## SECTION 301 DAYLIGHT\n\n### 301.1 Windows.\n\nA room has a window.\n\n### 301.2 Lamps.\n\nA lamp is no window.\n', 'UTF8'),
    'elsewhere', document => 'rooms', format => 'markdown', profile => 'ibc', embed => false) \gset
SELECT document_id AS document FROM codecite.pending('hash') ORDER BY document_id DESC LIMIT 1 \gset
SELECT count(*) = :chunks AS all_wait, min(input) AS first FROM codecite.pending('hash', 100, :document - 1);
SELECT chunk FROM codecite.pending('hash', 2, :document - 1);
-- Behind the last row it goes on.
SELECT bool_and(chunk > 1) AS behind, count(*) = :chunks - 2 AS the_rest FROM codecite.pending('hash', 100, :document, 1);
-- Brought in one call; a chunk that does not exist is passed over, a second time nothing is new.
CREATE TEMPORARY TABLE computed AS
SELECT document_id, chunk, codecite.embed(input, 'document')::real[] AS vector FROM codecite.pending('hash', 100, :document - 1);
SELECT codecite.put_embeddings('hash', array_agg(document_id ORDER BY chunk), array_agg(chunk ORDER BY chunk),
                               (SELECT array_agg(x ORDER BY chunk, n) FROM computed c, unnest(c.vector) WITH ORDINALITY v(x, n))) = :chunks AS brought
FROM computed;
SELECT codecite.put_embeddings('hash', array_agg(document_id ORDER BY chunk), array_agg(chunk ORDER BY chunk),
                               (SELECT array_agg(x ORDER BY chunk, n) FROM computed c, unnest(c.vector) WITH ORDINALITY v(x, n))) AS again
FROM computed;
SELECT codecite.put_embeddings('hash', ARRAY[:document], ARRAY[99999], (SELECT vector FROM computed LIMIT 1)) AS gone;
SELECT count(*) AS waiting FROM codecite.pending('hash', 100, :document - 1);
SELECT number, coverage FROM codecite.search('room with a window', ARRAY['elsewhere'], 1, mode => 'vector');
-- The same with the question's vector.
SELECT number FROM codecite.search('', ARRAY['elsewhere'], 1, mode => 'vector', query_vector => codecite.embed('a lamp', 'query')::real[]);
-- Faults name what is wrong.
SELECT codecite.put_embeddings('hash', ARRAY[:document], ARRAY[0, 1], ARRAY[1.0]::real[]);
SELECT codecite.put_embeddings('hash', ARRAY[:document], ARRAY[0], ARRAY[1.0]::real[]);
SELECT codecite.put_embeddings('hash', ARRAY[:document], ARRAY[0], array_fill('NaN'::real, ARRAY[384]));
SELECT codecite.put_embeddings('hash', ARRAY[:document], ARRAY[0], array_fill(0::real, ARRAY[384]));
SELECT codecite.put_embeddings('none', ARRAY[:document], ARRAY[0], ARRAY[1.0]::real[]);
SELECT codecite.pending(max => 0);
SELECT codecite.drop_corpus('elsewhere') AS dropped;
