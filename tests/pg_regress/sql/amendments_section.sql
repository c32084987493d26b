-- section() tells what the amendments in force make of a section.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/samples.sql'
\i :file
\pset format unaligned
SELECT n.number, s.layer, s.status, s.standing, s.amended_by, s.unapplied, s.amended_children, s.amended_text IS NOT NULL AS has_text,
       left(s.redline, 100) AS redline
FROM unnest(ARRAY['101.1', '107.1', '402.2', '405', '405.2', '504.3', '702.3', '1007.2', '1010.1.9.2', '1009.2', '1015.2', 'Appendix C', '9999.9'])
     WITH ORDINALITY n(number, at),
     LATERAL codecite.section(n.number, 'model-code') s
ORDER BY n.at, s.layer DESC;

-- On a day before an amendment, in one layer, and in a corpus that nothing amends: nothing.
SELECT s.layer, s.standing FROM codecite.section('107.1', 'model-code', NULL, '2024-06-01') s;
SELECT s.layer, s.standing, s.amended_text FROM codecite.section('107.1', 'model-code', 'base') s;
SELECT s.layer, s.standing FROM codecite.section('2.1', 'design-standard') s;

-- An amendment that shows itself in struck and underlined words is an operation like any other.
SELECT document FROM codecite.ingest(convert_to(E'# CHAPTER 4 HALLS\n\n### 401.1 Width.\n\nA hall is forty wide.\n\n### 401.3 Lamps.\n\nLamps are lit.\n', 'UTF8'), 'town', document => 'code', format => 'markdown', profile => 'ibc', embed => false, effective => '[2020-01-01,)');
SELECT document FROM codecite.ingest(convert_to(E'# CHAPTER 4 HALLS\n\n### 401.1 Width.\n\nA hall is ~~forty~~ <u>fifty</u> wide.\n\n~~401.3 Lamps.~~\n\n~~Lamps are lit.~~\n\n### <u>401.4 Bells.</u>\n\n<u>Bells ring.</u>\n', 'UTF8'), 'town', layer => 'amendment', document => 'marked', title => 'Marked Ordinance', format => 'markdown', profile => 'ibc', embed => false, effective => '[2020-01-01,)');
SELECT operation, target, status, reason FROM codecite.amendments('town');
SELECT s.number, s.layer, s.standing, s.redline, s.amended_by, s.citation
FROM unnest(ARRAY['401.1', '401.3', '401.4', 'Chapter 4']) n(number), LATERAL codecite.section(n.number, 'town') s
ORDER BY n.number, s.layer DESC;
-- On a day before all of it.
SELECT number, status, note FROM codecite.section('401.1', 'town', NULL, '1950-01-01');
SELECT day, r.status, r.layer, r.note FROM (VALUES (date '1950-01-01'), ('2025-01-01')) d(day), LATERAL codecite.resolve('Section 401.1', 'town', d.day) r;
SELECT coverage, coverage_note FROM codecite.search('how wide is a hall', ARRAY['town'], as_of => '1950-01-01');
SELECT kind, verdict FROM codecite.verify('Section 401.1 holds.', 'town', '1950-01-01');
SELECT kind, verdict FROM codecite.verify('Sections 401.1, 401.3 and Chapter 4 hold.', 'town');
\pset format aligned
SELECT codecite.drop_corpus('model-code'), codecite.drop_corpus('design-standard'), codecite.drop_corpus('town');
