-- A drafted answer, checked: citations and quotations against what is indexed, amendments included.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/samples.sql'
\i :file
\pset format unaligned
\pset null -
CREATE FUNCTION pg_temp.checked(draft text, as_of date DEFAULT NULL) RETURNS TABLE (kind text, verdict text, number text, redline text, notes text[])
LANGUAGE sql AS 'SELECT kind, verdict, number, left(redline, 120), notes FROM codecite.verify($1, ''model-code'', $2)';

SELECT * FROM pg_temp.checked('Corridors need a width (Model Building Code §1020.2). See also Section 1004.5 and Table 1004.5.');
-- The words of the section itself, broken and shortened as people quote; then a changed number, a changed verb, another order.
SELECT draft, verdict, number, redline FROM (VALUES
    ('“Handrail height shall be uniform and not less than 35 inches (890 mm)”'),
    (E'"Handrail height shall be uni-\nform and not less than\n35 inches … above the nosings or ramp surface"'),
    ('“[H]andrail height shall be uniform”'),
    ('“Handrail height shall be uniform and not less than 36 inches (890 mm)”'),
    ('“Handrail height may be uniform and not less than 35 inches”'),
    ('“Handrail height shall be uniform and less than 35 inches (890 mm)”')) q(draft),
LATERAL pg_temp.checked('Section 1014.1 says ' || draft || '.') WHERE kind = 'quotation';
SELECT verdict FROM pg_temp.checked('Section 1014.1 says “every zeppelin shall be moored to a mast of its own”.') WHERE kind = 'quotation';
-- What is not there, what is deleted, what is amended, what is not indexed.
SELECT * FROM pg_temp.checked('Sections 9999.1 and 405.2 and 107.1 hold; so do NFPA 13 §8.3 and IBC 2021 §1004.5.');
SELECT * FROM pg_temp.checked('Section 107.1 holds.', '2024-06-01');
SELECT * FROM pg_temp.checked('Section 702.3, Exception 9, lets you.');
-- Nothing to check, and no text at all.
SELECT count(*) FROM codecite.verify('Doors are doors.');
SELECT count(*) FROM codecite.verify('');
SELECT codecite.verify(NULL);
SELECT verdict FROM codecite.verify('Section 1004.5 holds.', 'no-such-corpus');
SELECT codecite.drop_corpus('model-code'), codecite.drop_corpus('design-standard');
