-- Words of the database's own: a question that has one is also searched for what it means.
SELECT chunks > 0 AS read FROM codecite.ingest(convert_to(
    E'# CHAPTER 3 ROOMS\n\n## SECTION 301 DAYLIGHT\n\n### 301.1 Fenestration.\n\nFenestration lights each chamber.\n\n### 301.2 Lamps.\n\nA lamp hangs high.\n\n### 301.3 Doors.\n\nA door opens.\n', 'UTF8'),
    'own-words', document => 'rooms', format => 'markdown', profile => 'ibc');
SELECT number FROM codecite.search('skylook hole', ARRAY['own-words'], mode => 'lexical');
INSERT INTO codecite.synonyms VALUES ('skylook hole', '{fenestration}'), ('skylook', '{lamp}');
SELECT number FROM codecite.search('where do Skylook Holes go?', ARRAY['own-words'], mode => 'lexical');
-- A phrase is meant as a whole, and a synonym works in one direction.
SELECT number FROM codecite.search('hole', ARRAY['own-words'], mode => 'lexical');
DELETE FROM codecite.synonyms WHERE word = 'skylook';
SELECT number FROM codecite.search('skylook', ARRAY['own-words'], mode => 'lexical');
-- A built-in one works beside them.
SELECT number FROM codecite.search('hallway doors skylook hole', ARRAY['own-words'], 1, mode => 'lexical');
INSERT INTO codecite.synonyms VALUES ('Upper', '{lower}');
INSERT INTO codecite.synonyms VALUES ('nothing', '{}');
DELETE FROM codecite.synonyms;
SELECT codecite.drop_corpus('own-words') IS NOT NULL AS dropped;
