-- What stands around a section: parent, siblings, children, what it refers to and what refers to it.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/samples.sql'
\i :file
SELECT relation, layer, number, title, kind, status FROM codecite.context('1004.5', 'model-code') ORDER BY ordinal;
SELECT ordinal, relation, number, page_from, page_to, citation, edition, document FROM codecite.context('1004.5', 'model-code') WHERE relation IN ('parent', 'reference') ORDER BY ordinal;
-- A table: its owner, its neighbours, what it refers to.
SELECT relation, number, title, kind FROM codecite.context('Table 1004.5', 'model-code') ORDER BY ordinal;
-- A chapter has no parent; its siblings are the other chapters.
SELECT relation, string_agg(number, ', ' ORDER BY ordinal) FROM codecite.context('Chapter 10', 'model-code', 'base') WHERE relation <> 'referenced_by' GROUP BY relation ORDER BY min(ordinal);

-- Every address that section() reads.
SELECT asked, (SELECT number FROM codecite.section(asked, 'model-code', 'base')) AS section, (SELECT locator FROM codecite.section(asked, 'model-code', 'base')) AS locator,
       (SELECT number FROM codecite.context(asked, 'model-code', 'base') WHERE relation = 'parent') AS parent
FROM unnest(ARRAY['1004.5', '§ 1004.5', 'Section 1004.5', '101.2, Exception 2', 'Exception 2 to Section 101.2', 'exception 1 of 102.2', 'Table 1004.5', 'chapter 10', '10',
                  'Model Building Code 2024 §101.2, Exception 2 (p. 7)']) asked;
-- An exception is cited as such; one that is not there is said not to be.
SELECT number, locator, citation, status, note FROM unnest(ARRAY['101.2, Exception 2', '101.2, Exception 7', '102.2, Exception', '102.2, Exception 1']) asked,
       LATERAL codecite.section(asked, 'model-code', 'base');

-- An amendment's section, and the base's, have each their own surroundings; references go to every layer.
SELECT relation, layer, document, number FROM codecite.context('402.2', 'model-code') WHERE relation IN ('parent', 'reference') ORDER BY ordinal;
SELECT relation, layer, document, number FROM codecite.context('402.2', 'model-code', 'amendment') WHERE relation = 'parent' ORDER BY ordinal;
-- What an amendment adds stands where its number belongs, beside the base's own; what it changes is told beside the base's.
SELECT relation, layer, number, title FROM codecite.context('106.3', 'model-code') WHERE relation IN ('parent', 'sibling') ORDER BY ordinal;
SELECT relation, layer, number, title FROM codecite.context('106.1', 'model-code') WHERE relation IN ('parent', 'sibling') ORDER BY ordinal;
SELECT relation, layer, number, title FROM codecite.context('106', 'model-code') WHERE relation = 'child' ORDER BY ordinal;
-- As of a day: before the amendments.
SELECT DISTINCT layer FROM codecite.context('402.2', 'model-code', as_of => '2024-06-01') ORDER BY 1;

-- What is not there: as section() says it.
SELECT c.relation, c.number, c.status, c.note, c.status = s.status AND c.note = s.note AS as_section
FROM unnest(ARRAY['1004.55', 'hello there', '']) asked, LATERAL codecite.context(asked, 'model-code') c, LATERAL codecite.section(asked, 'model-code') s;
SELECT relation, status, note FROM codecite.context('1004.5', 'no-such-corpus');
SELECT count(*) FROM codecite.context(NULL, 'model-code') WHERE status = 'found';

-- Ranges refer to what is between; a target that is not loaded is named.
SELECT FROM codecite.ingest(convert_to(
E'# CHAPTER 7 DOORS\n\n## 701 GENERAL\n\n### 701.1 First.\n\nOne.\n\n### 701.2 Second.\n\nTwo.\n\n### 701.3 Third.\n\nThree.\n\n### 701.4 Fourth.\n\nSee Sections 701.1 through 701.3, Section 701.4 and Chapter 99.\n',
'UTF8'), 'ranges', document => 'doors') \g /dev/null
SELECT relation, number, title, status FROM codecite.context('701.4', 'ranges') ORDER BY ordinal;
SELECT relation, number, title, status FROM codecite.context('701.2', 'ranges') ORDER BY ordinal;
SELECT codecite.drop_corpus('ranges');

-- What a reader may not see is not there, nor is what refers to it.
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_reader, regress_member;
RESET client_min_messages;
CREATE ROLE regress_reader;
CREATE ROLE regress_member;
SELECT codecite.grant_read('regress_reader'), codecite.grant_read('regress_member');
SELECT codecite.restrict('model-code', 'regress_member');
SET ROLE regress_reader;
SELECT status, note FROM codecite.context('1004.5', 'model-code');
SELECT status, note FROM codecite.section('1004.5', 'model-code');
SELECT status, note FROM codecite.define('corridor', 'model-code');
SELECT status, note FROM codecite.table_of('1004.5', 'model-code');
SELECT count(*) FROM codecite.context('1004.5') WHERE corpus <> 'design-standard';
SELECT count(*) FROM codecite.definition;
SELECT count(*) FROM codecite.dangling() WHERE corpus = 'model-code';
\set SHOW_CONTEXT never
SELECT * FROM codecite.dangling('model-code');
SET ROLE regress_member;
SELECT count(*) > 5 AS sees FROM codecite.context('1004.5', 'model-code');
SELECT count(*) AS defines FROM codecite.define('corridor', 'model-code');
SELECT count(*) AS tables FROM codecite.table_of('Table 1004.5', 'model-code', 'base');
RESET ROLE;
SELECT codecite.drop_corpus('model-code'), codecite.drop_corpus('design-standard');
DROP OWNED BY regress_reader, regress_member;
DROP ROLE regress_reader, regress_member;
