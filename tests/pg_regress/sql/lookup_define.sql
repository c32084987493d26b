-- Defined terms: by any spelling and any of their names, the amendment's above the base's, "see" followed once.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/samples.sql'
\i :file
\x on
SELECT * FROM codecite.define('corridor', 'model-code');
\x off
-- Case, plural, hyphens.
SELECT asked, term, number FROM unnest(ARRAY['Occupant load', 'OCCUPANT LOADS', 'dead-end', 'dead ends', 'high rise building', 'High-rise buildings', 'storeys', 'townhouses']) asked,
       LATERAL codecite.define(asked, 'model-code', 'base');
-- A term that is turned round goes by its usual order, too.
SELECT term, aliases FROM codecite.define('gross floor area', 'model-code');
SELECT term, aliases FROM codecite.define('FLOOR AREA, GROSS', 'model-code');
-- The amendment governs: it stands first, as in a search.
SELECT layer, document, term, left(definition, 80) AS definition, citation FROM codecite.define('high-rise building', 'model-code');
SELECT rank, layer, number FROM codecite.search('what is a high-rise building', ARRAY['model-code'], k => 1);
SELECT layer FROM codecite.define('high-rise building', 'model-code', as_of => '2024-06-01');
SELECT layer FROM codecite.define('high-rise building', 'model-code', 'base');
-- Not defined: with terms that share words.
SELECT term, definition, status, note FROM codecite.define('exit width', 'model-code');
SELECT term, status, note FROM codecite.define('xylophone', 'model-code');
SELECT term, status, note FROM codecite.define('corridor', 'no-such-corpus');
SELECT count(*) FROM codecite.define(NULL, 'model-code') WHERE status = 'found';

-- See: to a term, to a section, to what is not there, and round in a circle.
SELECT FROM codecite.ingest(convert_to(E'# CHAPTER 2 DEFINITIONS\n\n## SECTION 202 DEFINITIONS\n\n'
'**APARTMENT.** See Dwelling unit.\n\n**DWELLING UNIT (FLAT).** Rooms for one household. See also “Story”.\n\n**STORY.** A level of a building. See “Dwelling unit”.\n\n'
'**EXIT.** See Section 1002.1.\n\n**RAMP.** See Section 9999.\n\n**PLOT OR LOT.** Land.\n\n**“STAIRWELL.”** See “Shaft”.\n\n**LONG TERM.** ' || repeat('A sentence of a long definition that goes on. ', 60) || E'The end.\n\n'
'# CHAPTER 10 EGRESS\n\n## SECTION 1002 EXITS\n\n### 1002.1 Exit.\n\nThe protected way out.\n', 'UTF8'), 'see', document => 'see') \g /dev/null
SELECT asked, term, aliases, number, left(definition, 50) AS definition, see, via, status
FROM unnest(ARRAY['apartment', 'flat', 'story', 'exit', 'ramp', 'lots', 'plot', 'stairwell']) asked, LATERAL codecite.define(asked, 'see');
-- A long definition is several chunks and one definition.
SELECT count(*) > 1 AS several FROM codecite.v_chunk WHERE corpus = 'see' AND locator = 'LONG TERM';
SELECT count(*) AS rows, min(right(definition, 8)) AS ends, min(left(definition, 9)) AS begins FROM codecite.define('long terms', 'see');
-- The search finds a definition by the same spellings.
SELECT number, locator FROM codecite.search('what is meant by flats', ARRAY['see'], k => 1);
-- They go with their document.
SELECT codecite.drop_corpus('see');
SELECT count(*) FROM codecite.definition t JOIN codecite.corpus c ON c.id = t.corpus_id WHERE c.name = 'see';
SELECT codecite.drop_corpus('model-code'), codecite.drop_corpus('design-standard');
