-- What a query names by its address stands first: sections, tables, chapters, exceptions, defined terms.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/samples.sql'
\i :file

CREATE FUNCTION pg_temp.first(query text, OUT number text, OUT locator text, OUT kinds text[], OUT citation text, OUT coverage text)
LANGUAGE sql AS $$
    SELECT number, locator, kinds, citation, coverage FROM codecite.search($1, ARRAY['model-code'], 1, layer => 'base')
$$;
CREATE TEMPORARY TABLE asked (n integer GENERATED ALWAYS AS IDENTITY, query text);

-- Sections, in all spellings, alone and inside a question.
INSERT INTO asked (query) VALUES ('1004.5.1'), ('section 1004.5.1'), ('§1004.5.1'), ('§ 1004.5.1.'), ('Sec. 1004.5.1'),
    ('What does section 1004.5.1 say about offices?'), ('1010.1.9.2'), ('C101.2'), ('Section 1004'), ('1004');
-- Tables, chapters, appendices.
INSERT INTO asked (query) VALUES ('Table 1004.5'), ('table 307.1(1)'), ('Table 307.1(2)'), ('what is in table 1020.2?'),
    ('Chapter 10'), ('chapter 7'), ('Appendix C');
-- Exceptions, named before or after their section.
INSERT INTO asked (query) VALUES ('exception 2 of section 1020.3'), ('Section 1020.3, Exception 2'), ('§1020.3 exception 1');
-- Defined terms.
INSERT INTO asked (query) VALUES ('What is the definition of occupant load?'), ('define means of egress'), ('what does "guard" mean?'),
    ('occupant load'), ('What is a DEAD END?');
SELECT query, first.* FROM asked, LATERAL pg_temp.first(query) first ORDER BY n;

-- What is named comes first, in the order it is named, and the search adds the rest.
SELECT rank, number FROM codecite.search('compare Section 1020.3 and Table 1004.5', ARRAY['model-code'], 2, layer => 'base');
SELECT count(*) FROM codecite.search('Section 1020.3 dead ends', ARRAY['model-code'], 5, layer => 'base') WHERE rank > 1;

-- A number that does not exist: one row that says so, with the nearest numbers. Nothing is invented.
\x on
SELECT * FROM codecite.search('1004.99', ARRAY['model-code'], layer => 'base');
-- Beyond the last section its neighbours are sections, not chapters or tables.
SELECT rank, number, citation, body, coverage, coverage_note ~ '^9999.9 is not in these corpora; nearest are 1108.1, 1108.2' AS names_the_last,
       coverage_note ~ 'Chapter|Table|Appendix' AS names_other_parts
FROM codecite.search('What does Section 9999.9 require?', ARRAY['model-code'], layer => 'base');
SELECT rank, number, citation, body, coverage, coverage_note FROM codecite.search('Table 1004.9', ARRAY['model-code'], layer => 'base');
SELECT rank, number, citation, body, coverage, coverage_note FROM codecite.search('Chapter 8', ARRAY['model-code'], layer => 'base');
\x off
-- Of two numbers one exists: it is answered, and the other is named in the note.
SELECT rank, number, coverage, coverage_note FROM codecite.search('Section 1020.3 and Section 1020.33', ARRAY['model-code'], 1, layer => 'base');
-- The same number in two corpora: each is a hit of its own, and a corpus can be asked alone.
SELECT document FROM codecite.ingest(convert_to(E'# CHAPTER 10 EXITS\n\n## 1004.5.1 Desks.\n\nOne person at each desk.\n', 'UTF8'),
                                     'other-code', filename => 'other.md', corpus_title => 'Other Code');
SELECT corpus, number, title FROM codecite.search('Section 1004.5.1', k => 2) ORDER BY corpus;
SELECT corpus, number, title FROM codecite.search('Section 1004.5.1', ARRAY['other-code'], 1);
-- ask() answers the same, wrapped to 120 columns.
SELECT * FROM codecite.ask('section 1004.5.2', 1, ARRAY['model-code']);
SELECT * FROM codecite.ask('section 1004.77', 1, ARRAY['model-code']);
SELECT max(length(line)) <= 74 AS fits FROM codecite.ask('dead end corridors', 5, ARRAY['model-code']), LATERAL regexp_split_to_table(passage, E'\n') line;

SELECT codecite.drop_corpus('model-code'), codecite.drop_corpus('design-standard'), codecite.drop_corpus('other-code');
