-- Local amendments stand above the base section they change, at the same rank, each under its own citation.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/samples.sql'
\i :file

-- Three layers: the city's text, the state's and the base's; each names what amends it.
SELECT rank, layer, document, number, amended_by FROM codecite.search('Section 402.2', ARRAY['model-code'], 1);
SELECT rank, layer, document, number, amended_by FROM codecite.search('secondary water supply for high-rise sprinklers', ARRAY['model-code'], 1);
-- One amendment, and none.
SELECT rank, layer, document, number, amended_by FROM codecite.search('Section 504.3', ARRAY['model-code'], 1);
SELECT rank, layer, document, number, amended_by FROM codecite.search('Section 1010.1.1', ARRAY['model-code'], 1);
-- A table and a definition are amended as a section is.
SELECT rank, layer, document, number, amended_by FROM codecite.search('Table 1020.2', ARRAY['model-code'], 1);
-- A section that only amendments have.
SELECT rank, layer, document, number, amended_by FROM codecite.search('Section 410.1', ARRAY['model-code'], 1);
SELECT rank <= 3 AS near_the_top, layer, document, number, amended_by FROM codecite.search('storm refuge room size', ARRAY['model-code'], 5) WHERE number = '410.2';

-- An overlay row is not counted in k: k ranks, whatever the number of rows.
SELECT count(DISTINCT rank) AS ranks, max(rank) AS last, count(*) > 5 AS more_rows_than_ranks
FROM codecite.search('sprinkler system required Group A-2 high-rise', ARRAY['model-code'], 5);
-- Ranks have no gaps, and a section stands once.
SELECT bool_and(rank = expected) AS no_gaps, bool_and(n = 1) AS each_once
FROM (SELECT rank, dense_rank() OVER (ORDER BY rank) AS expected, count(*) OVER (PARTITION BY document, number, rank) AS n
      FROM codecite.search('corridor width', ARRAY['model-code'], 20)) hits;
-- Within a rank: the highest layer first, the base last, all with the same number.
SELECT bool_and(numbers = 1) AS one_number, bool_and(layers[cardinality(layers)] = 'base' OR NOT 'base' = ANY (layers)) AS base_last
FROM (SELECT rank, count(DISTINCT number) AS numbers, array_agg(layer ORDER BY n) AS layers
      FROM codecite.search('sprinkler system', ARRAY['model-code'], 20) WITH ORDINALITY
           s(rank, corpus, layer, document, edition, number, locator, title, breadcrumb, kinds, page_from, page_to, citation, body, refs, amended_by, score, coverage, coverage_note, n)
      GROUP BY rank) ranks;
-- What is amended says so in its citation, so that nobody quotes the base as the law by mistake.
SELECT bool_and(citation LIKE '%, amended by ' || titles) AS all_say_so, count(*) > 0 AS some
FROM codecite.search('sprinkler system', ARRAY['model-code'], 20) s,
     LATERAL (SELECT string_agg(d.title, ', ' ORDER BY k.at) AS titles
              FROM string_to_table(s.amended_by, ', ') WITH ORDINALITY k(document, at)
              JOIN codecite.documents('model-code') d USING (document)) t
WHERE amended_by IS NOT NULL;

-- And a text that only an amendment holds is never cited as if the base said it: the citation names the amending document.
SELECT bool_and(position(s.document IN s.citation) > 0 OR position(d.title IN s.citation) > 0) AS all_say_so, count(*) > 0 AS some
FROM codecite.search('sprinkler system', ARRAY['model-code'], 20) s JOIN codecite.documents('model-code') d USING (layer, document)
WHERE s.layer <> 'base';

-- As of a date: only the amendments then in force.
SELECT layer, document, amended_by FROM codecite.search('Section 402.2', ARRAY['model-code'], 1, as_of => '2024-06-01');
SELECT layer, document, amended_by FROM codecite.search('Section 402.2', ARRAY['model-code'], 1, as_of => '2025-03-01');
SELECT layer, document, amended_by FROM codecite.search('Section 402.2', ARRAY['model-code'], 1, as_of => '2025-08-01');
-- Another corpus is never laid over this one.
SELECT corpus, layer, number FROM codecite.search('Section 2.3', ARRAY['design-standard', 'model-code'], 1);
-- What an amending document says of Section 402.2 is never cited as Section 402.
SELECT layer, number, body FROM codecite.v_section WHERE corpus = 'model-code' AND layer <> 'base' AND number = '402';
-- section() shows the stack in the same order.
SELECT layer, document, number, kind FROM codecite.section('402.2', 'model-code');
-- The base text itself is untouched.
SELECT body FROM codecite.section('402.2', 'model-code', 'base');

SELECT codecite.drop_corpus('model-code'), codecite.drop_corpus('design-standard');
