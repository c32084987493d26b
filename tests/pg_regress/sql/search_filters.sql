-- Filters on corpora, layer, kinds and chapter narrow a search; a name that does not exist is an error that lists what does.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/samples.sql'
\i :file
\set file :tests '/include/outcome.sql'
\i :file

-- Corpora.
SELECT corpus, count(*) > 0 AS found FROM codecite.search('corridor width', ARRAY['model-code'], 20) GROUP BY corpus;
SELECT corpus, count(*) > 0 AS found FROM codecite.search('corridor width', ARRAY['design-standard'], 20) GROUP BY corpus;
SELECT corpus, count(*) > 0 AS found FROM codecite.search('corridor width', ARRAY['model-code', 'design-standard'], 20) GROUP BY corpus ORDER BY corpus;
SELECT corpus, count(*) > 0 AS found FROM codecite.search('corridor width', k => 20) GROUP BY corpus ORDER BY corpus;
-- Layer.
SELECT DISTINCT layer FROM codecite.search('sprinkler system', ARRAY['model-code'], 20, layer => 'base');
SELECT DISTINCT layer FROM codecite.search('sprinkler system', ARRAY['model-code'], 20, layer => 'amendment');
SELECT DISTINCT layer FROM codecite.search('sprinkler system', ARRAY['model-code'], 20) ORDER BY layer;
-- Kinds: every hit is of one of them, also where the query is a defined term.
SELECT DISTINCT kinds FROM codecite.search('occupant load', ARRAY['model-code'], 20, ARRAY['exception'], layer => 'base');
SELECT DISTINCT kinds FROM codecite.search('occupant load', ARRAY['model-code'], 20, ARRAY['table'], layer => 'base');
SELECT DISTINCT kinds FROM codecite.search('occupant load', ARRAY['model-code'], 20, ARRAY['definition'], layer => 'base');
SELECT DISTINCT unnest(kinds) AS kind FROM codecite.search('occupant load', ARRAY['model-code'], 50, ARRAY['definition', 'table'], layer => 'base') ORDER BY 1;
-- Chapter 1 is chapter 1, never 10 or 11.
SELECT DISTINCT split_part(breadcrumb, ' › ', 1) AS chapter FROM codecite.search('required building', ARRAY['model-code'], 50, layer => 'base', chapter => '1');
SELECT DISTINCT split_part(breadcrumb, ' › ', 1) AS chapter FROM codecite.search('required building', ARRAY['model-code'], 50, layer => 'base', chapter => '10');
SELECT DISTINCT split_part(breadcrumb, ' › ', 1) AS chapter FROM codecite.search('required building', ARRAY['model-code'], 50, layer => 'base', chapter => 'Chapter 11');
SELECT DISTINCT split_part(breadcrumb, ' › ', 1) AS chapter FROM codecite.search('required roof', ARRAY['model-code'], 50, layer => 'base', chapter => 'C');
SELECT DISTINCT split_part(breadcrumb, ' › ', 1) AS chapter FROM codecite.search('required roof', ARRAY['model-code'], 50, layer => 'base', chapter => 'appendix c');
SELECT count(*) FILTER (WHERE breadcrumb NOT LIKE 'Chapter 10 %') AS elsewhere FROM codecite.search('occupant load', ARRAY['model-code'], 50, layer => 'base', chapter => '10');
-- Every mode keeps to the filters.
SELECT mode, count(*) > 0 AS found, bool_and(breadcrumb LIKE 'Chapter 9 %' AND kinds = '{exception}') AS kept
FROM unnest(ARRAY['hybrid', 'lexical', 'vector']) mode,
     LATERAL codecite.search('sprinklers', ARRAY['model-code'], 20, ARRAY['exception'], 'base', '9', mode => mode)
GROUP BY mode ORDER BY mode;
-- The index scan keeps to them as well, and its settings are not left in the session.
SELECT codecite.build_index('hash');
SET codecite.exact_search_max_chunks = 0;
SELECT count(*) > 0 AS found, bool_and(breadcrumb LIKE 'Chapter 9 %' AND kinds = '{exception}') AS kept
FROM codecite.search('sprinklers', ARRAY['model-code'], 20, ARRAY['exception'], 'base', '9', mode => 'vector');
SHOW hnsw.ef_search;
SHOW hnsw.iterative_scan;
RESET codecite.exact_search_max_chunks;
DROP INDEX codecite.embedding_model_1;
-- An exact address outside the filters is not answered from outside them.
SELECT rank, number, coverage FROM codecite.search('Section 1020.3', ARRAY['design-standard'], 1);
SELECT rank, number, coverage FROM codecite.search('Section 903.2.9', ARRAY['model-code'], 1, layer => 'amendment');

-- A typo in a filter is an error; its hint lists what exists.
\x on
SELECT * FROM pg_temp.outcome($$SELECT codecite.search('doors', ARRAY['model-cod'])$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.search('doors', ARRAY['model-code'], layer => 'bsae')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.search('doors', ARRAY['model-code'], layer => '300')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.search('doors', ARRAY['model-code'], kinds => ARRAY['exceptions!'])$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.search('doors', ARRAY['model-code'], chapter => '8')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.search('doors', ARRAY['model-code'], mode => 'fuzzy')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.search('doors', ARRAY['model-code'], 0)$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.search('doors', ARRAY['model-code'], 201)$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.search('doors', query_vector => ARRAY[1, 2]::real[])$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.toc('model-cod')$$);
\x off
-- A look-up says it in its status.
SELECT number, status, note FROM codecite.section('1004.5', 'model-cod');
SELECT number, status, note FROM codecite.section('1004.5', layer => 'bsae');
-- Reading again needs a model that reads tokens; with the built-in one it is the hybrid search.
SELECT (SELECT array_agg(s.* ORDER BY rank) FROM codecite.search('width of a corridor', mode => 'rerank') s)
     = (SELECT array_agg(s.* ORDER BY rank) FROM codecite.search('width of a corridor') s) AS the_same;
SET codecite.rerank_sections = 1;
SELECT codecite.drop_corpus('model-code'), codecite.drop_corpus('design-standard');
