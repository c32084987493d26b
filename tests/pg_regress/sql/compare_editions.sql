-- Two editions of a document, and two corpora: added, deleted, changed, renumbered.
CREATE FUNCTION pg_temp.load(content text, corpus text, edition text) RETURNS text LANGUAGE sql AS $$
    SELECT document FROM codecite.ingest(convert_to($1, 'UTF8'), $2, document => 'code', edition => $3, profile => 'ibc', embed => false)
$$;
\set old '# CHAPTER 5 FENCES\n\n### 501.1 Height.\n\nFences shall be not more than 6 feet high at any point along the street.\n\n### 501.2 Gates.\n\nGates shall swing inward and shall close by themselves after each use.\n\n### 501.3 Color.\n\nFences along the harbor shall be painted green every third year.\n\n# CHAPTER 6 PONDS\n\n### 601.1 Depth.\n\nPonds shall be not more than 3 feet deep where children can reach them.\n'
\set new '# CHAPTER 5 FENCES\n\n### 501.1 Height.\n\nFences shall be not more than 7 feet high at any point along the street.\n\n### 501.2 Lamps.\n\nA lamp shall burn beside each gate from dusk until dawn on every day.\n\n### 501.3 Gates.\n\nGates shall swing inward and shall close by themselves after each use.\n\n# CHAPTER 6 PONDS\n\n### 601.1 Depth.\n\nPonds shall be not more than 3 feet deep where children can reach them.\n'
SELECT pg_temp.load(replace(:'old', '\n', E'\n'), 'fences', '2020'), pg_temp.load(replace(:'new', '\n', E'\n'), 'fences', '2024');
SELECT pg_temp.load(replace(:'new', '\n', E'\n'), 'fences-2', '2024');
SELECT change, number_a, number_b, similarity, redline FROM codecite.compare('fences', 'fences', edition_a => '2020', edition_b => '2024');
SELECT change, number_a, number_b FROM codecite.compare('fences', 'fences', '6', '2020', '2024');
SELECT change, number_a, number_b FROM codecite.compare('fences', 'fences', 'Chapter 5', '2020', '2024') LIMIT 1;
SELECT change, citation_a, citation_b FROM codecite.compare('fences', 'fences', edition_a => '2020', edition_b => '2024') WHERE change = 'renumbered';
-- In force in both: the same text.
SELECT count(*) FROM codecite.compare('fences', 'fences-2');
SELECT count(*) FROM codecite.compare('fences', 'no-such-corpus');
SELECT count(*) FROM codecite.compare('fences', NULL);
SELECT codecite.drop_corpus('fences'), codecite.drop_corpus('fences-2');
