-- Words as building codes write them: occupancy groups, hyphens, negations, quotes; and nothing that is typed is an error.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/samples.sql'
\i :file
CREATE FUNCTION pg_temp.numbers(query text, k integer DEFAULT 5, mode text DEFAULT 'lexical') RETURNS text[] LANGUAGE sql AS $$
    SELECT array_agg(number ORDER BY rank) FROM codecite.search($1, ARRAY['model-code'], $2, layer => 'base', mode => $3)
$$;

-- A group is one term: A is not B, I-2 is not A-2. The section that defines the group is among the first.
SELECT asked, defined = ANY (pg_temp.numbers(asked, 2)) AS found
FROM (VALUES (1, 'Group B', '302.1'), (2, 'Group M', '302.2'), (3, 'Group A-2', '304.2'), (4, 'Group I-2', '306.2'), (5, 'Group R-3', '303.3'))
     q(n, asked, defined) ORDER BY n;
SELECT codecite.terms('Group A') <> codecite.terms('Group B') AS a_is_not_b, codecite.terms('Group I-2') <> codecite.terms('Group A-2') AS i_2_is_not_a_2;
SELECT query, bool_and(body ~ asked) AS all_hold_it, count(*) > 1 AS several
FROM (VALUES ('"Group I-2"', 'Groups? .*I-2'), ('"Group A-2"', 'Groups? .*A-2'), ('"Group B"', 'Groups? .*\mB\M')) q(query, asked),
     LATERAL codecite.search(query, ARRAY['model-code'], 20, layer => 'base') GROUP BY query ORDER BY query;

-- "not" is kept: permitted and not permitted are different questions.
SELECT codecite.terms('not permitted') <> codecite.terms('permitted') AS different;
SELECT bool_and(body ~* 'not permitted') AS all_hold_it, count(*) > 1 AS several
FROM codecite.search('"not permitted"', ARRAY['model-code'], 10, layer => 'base');

-- Hyphens and spaces are one: dead-end = dead end.
SELECT codecite.terms('dead-end') = codecite.terms('dead end') AS same_terms;
SELECT pg_temp.numbers('dead-end corridor', 10) = pg_temp.numbers('dead end corridor', 10) AS same_answer;
SELECT '1020.3' = ANY (pg_temp.numbers('how long may a dead-end corridor be', 3)) AS found;
-- Numbers and units as printed; a section number and the same with its sign are one term.
SELECT codecite.terms('§1004.5') = codecite.terms('1004.5') AS same_terms;
-- Plural and singular, capitals.
SELECT codecite.terms('CORRIDORS') = codecite.terms('corridor') AS same_terms;

-- "Quotation marks" must stand in the passage in that order, straight or curly; -words must not stand in it.
SELECT bool_and(body ~* 'clear\s+opening\s+width') AS all_hold_it, count(*) > 0 AS some FROM codecite.search('"clear opening width"', ARRAY['model-code'], 20);
SELECT bool_and(body ~* 'clear\s+opening\s+width') AS all_hold_it, count(*) > 0 AS some FROM codecite.search('“clear opening width”', ARRAY['model-code'], 20);
SELECT coverage FROM codecite.search('"width opening clear"', ARRAY['model-code'], 1);
SELECT bool_or(body ~* 'sprinkler') AS any_holds_it, count(*) > 0 AS some FROM codecite.search('fire area -sprinklered -sprinkler', ARRAY['model-code'], 20);
SELECT bool_or(body ~* 'stair') AS any_holds_it, count(*) > 0 AS some FROM codecite.search('handrail -stair', ARRAY['model-code'], 20);
-- A hyphen inside a word or before a figure excludes nothing.
SELECT pg_temp.numbers('Group I-2', 5) = pg_temp.numbers('Group I-2 - ', 5) AS same_answer;
SELECT count(*) > 0 AS some FROM codecite.search('width - 44 inches', ARRAY['model-code']);

-- Anything can be typed: operators, quotes, empty and odd input never raise.
SELECT query, count(*) > 0 AS answered, bool_and(rank > 0 AND coverage IN ('covered', 'uncertain', 'not_covered')) AS well_formed
FROM unnest(ARRAY['a & b | !c', '&', '|', '!', '!!', 'stairs & !ramps', '((', ')(', ':*', 'a:b', '''', '''''', '"', '""', '"""', '"stairs', '-', '--', '- -', '\', '%', '_', '*', '?',
                  '<script>', '$1', ';', 'stairs; DROP TABLE x', E'tab\there', E'line\nbreak', E'\u0001\u202e', 'ü ß 漢字 🏛', '٣', 'NULL', '', ' ', E'\n',
                  '-corridor', '"corridor" -corridor', 'I-', '§', 'section', 'table', 'Section .', '1.', '.5', '-1', '1e400', repeat('(', 500), repeat('"', 501)]) WITH ORDINALITY q(query, n),
     LATERAL codecite.search(query, ARRAY['model-code'], 2) s
GROUP BY n, query HAVING NOT (count(*) > 0 AND bool_and(rank > 0 AND coverage IN ('covered', 'uncertain', 'not_covered')));
-- Without a word to search for there is one row that says so, and no passage.
SELECT rank, number, coverage, coverage_note FROM codecite.search('', ARRAY['model-code']);
SELECT rank, number, coverage, coverage_note FROM codecite.search(E' \n\t ', ARRAY['model-code']);
SELECT rank, coverage, coverage_note FROM codecite.search('-corridor', ARRAY['model-code']);
SELECT * FROM codecite.ask('', 3, ARRAY['model-code']);

-- A long query is cut with a notice, never refused: what stands in the first 2,000 characters is searched for.
SELECT number FROM codecite.search('scissor stairs ' || repeat('z', 4985), ARRAY['model-code'], 1, layer => 'base', mode => 'lexical');
SELECT number FROM codecite.search('scissor stairs ' || repeat('ß ', 2500), ARRAY['model-code'], 1, layer => 'base', mode => 'lexical');
SELECT number FROM codecite.search(rpad('scissor stairs', 2000), ARRAY['model-code'], 1, layer => 'base', mode => 'lexical');

SELECT codecite.drop_corpus('model-code'), codecite.drop_corpus('design-standard');
