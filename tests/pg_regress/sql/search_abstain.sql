-- An answer says whether the corpora cover the question at all: the same verdict on every row, and a reason where it is not.
\getenv tests PG_ABS_SRCDIR
-- Nothing is there yet.
SELECT rank, citation, body, coverage, coverage_note FROM codecite.search('how wide is a corridor');
SELECT * FROM codecite.ask('how wide is a corridor');
\set file :tests '/include/samples.sql'
\i :file

-- Covered.
SELECT query, min(coverage) AS coverage, bool_and(coverage_note IS NULL) AS no_note
FROM unnest(ARRAY['How long may a dead-end corridor be?', 'clear opening width of a doorway', 'occupant load factors', 'how high must a guard be']) WITH ORDINALITY q(query, n),
     LATERAL codecite.search(query, ARRAY['model-code']) GROUP BY n, query ORDER BY n;
-- Not covered: nothing in a building code answers these.
SELECT query, min(coverage) AS coverage, bool_and(coverage_note LIKE 'nothing in these corpora appears to cover the question%') AS says_why
FROM unnest(ARRAY['capital gains tax on cryptocurrency', 'best pizza recipe with mozzarella', 'zygomorphic orchid pollination', 'xqzwv', 'who won the world cup in 1998']) WITH ORDINALITY q(query, n),
     LATERAL codecite.search(query, ARRAY['model-code']) GROUP BY n, query ORDER BY n;
-- One verdict for the whole answer, and every answer has at least one row.
SELECT query, count(DISTINCT (coverage, coverage_note)) AS verdicts, count(*) > 0 AS answered
FROM unnest(ARRAY['sprinklers', 'capital gains tax', 'corridor tax', 'Section 1020.3', 'Section 1020.33', '']) WITH ORDINALITY q(query, n),
     LATERAL codecite.search(query, ARRAY['model-code'], 10) GROUP BY n, query ORDER BY n;
-- A question that another corpus would answer is not covered by this one.
SELECT min(coverage) <> 'covered' AS abstains FROM codecite.search('hazardous materials control areas flammable liquid', ARRAY['design-standard']);
SELECT min(coverage) AS coverage FROM codecite.search('hazardous materials control areas flammable liquid', ARRAY['model-code']);
-- ask() tells it with the first passage.
SELECT count(*) FILTER (WHERE passage LIKE '[not\_covered: nothing%') AS told FROM codecite.ask('zygomorphic orchid pollination', 3, ARRAY['model-code']);
-- A number that is not there is no question about words.
SELECT rank, number, coverage FROM codecite.search('1099.9', ARRAY['model-code']);

SELECT codecite.drop_corpus('model-code'), codecite.drop_corpus('design-standard');
