-- Operations of a stack of three with their status, and sections as amended.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/samples.sql'
\i :file

SELECT document, operation, target, through, scope, renumbered AS renum, status, reason
FROM codecite.amendments('model-code');

-- As amended: text by text, in the order of the stack.
\pset format unaligned
SELECT n.number, a.status, a.redline, a.note, a.unapplied
FROM unnest(ARRAY['101.1', '104.2', '107.1', '403.3', '405.1', '405.2', '405.3', '410', '410.1', '504.3', '604.3', '702.3',
                  '905.1', '907.2', '1007.2', '1009.2', '1010.1.9.2', '1011.7', '1011.8', '1015.2', '1020.3', '1010.1.1',
                  'Table 307.1(1)', 'Table 702.1', 'Table 1004.5', 'Table 1105.1', 'Appendix C']) WITH ORDINALITY n(number, at),
     LATERAL codecite.amended(n.number, 'model-code') a
ORDER BY n.at;
\pset format aligned
SELECT number, status, amended_by, citation FROM codecite.amended('402.2', 'model-code');
\pset format unaligned
SELECT text FROM codecite.amended('107.1', 'model-code');

\pset format aligned
-- On a day: only what was in force then.
SELECT day, a.status, a.amended_by, a.text LIKE '%25 days%' AS days_25, a.text LIKE '%35 days%' AS days_35
FROM (VALUES (date '2024-06-01'), ('2025-03-01'), ('2025-08-01')) d(day), LATERAL codecite.amended('107.1', 'model-code', d.day) a;
SELECT day, a.status FROM (VALUES (date '2024-06-01'), ('2025-03-01'), ('2025-08-01')) d(day),
     LATERAL codecite.amended('1007.2', 'model-code', d.day) a;

-- What is not there, and what is no number.
SELECT number, status FROM codecite.amended('9999.9', 'model-code');
SELECT number, status FROM codecite.amended('1004.5', 'no-such-corpus');
SELECT number, status, note FROM codecite.amended('doors', 'model-code');
SELECT codecite.amended(NULL);
-- The base itself is untouched.
SELECT body LIKE '%25 days%' AS as_printed FROM codecite.section('107.1', 'model-code', 'base');
-- An amendment that says nothing but "Exception 3 is deleted" stands above the section that it is about.
SELECT rank, layer, number, amended_by FROM codecite.search('fire wall openings exception', ARRAY['model-code'], 3) WHERE number = '702.3';
SELECT rank, layer, number, amended_by FROM codecite.search('Section 405.2', ARRAY['model-code'], 1);

SELECT codecite.drop_corpus('model-code'), codecite.drop_corpus('design-standard');
