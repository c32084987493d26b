-- Amendments before their base, a base ingested anew, an amendment dropped, amendments that conflict.
CREATE FUNCTION pg_temp.load(content text, document text, layer text, effective text DEFAULT NULL, again boolean DEFAULT false)
RETURNS text LANGUAGE sql AS $$
    SELECT document FROM codecite.ingest(convert_to($1, 'UTF8'), 'town', layer => $3, document => $2, title => initcap($2),
                                         effective => $4::daterange, profile => 'ibc', replace => $5, embed => false)
$$;
\set base '# CHAPTER 5 FENCES\n\n### 501.1 Height.\n\nFences shall be not more than 6 feet high.\n\n**Exceptions:**\n\n1. Fences of prisons.\n2. Fences of stables.\n\n### 501.2 Gates.\n\nGates shall swing inward.\n\n### 501.3 Color.\n\nFences shall be green.\n'
\set state '# CHAPTER 5 FENCES\n\n### Section 501.1\n\nSection 501.1 is amended by striking "6 feet" and inserting "7 feet".\n\n### Section 501.2\n\nSection 501.2 is deleted.\n\n### Section 501.9\n\nException 1 of Section 501.9 is deleted.\n'
\set county '# CHAPTER 5 FENCES\n\n### Section 501.1\n\nSection 501.1 is amended by striking "6 feet" and inserting "5 feet".\n\nException 2 of Section 501.1 is deleted.\n\n### Section 501.3\n\nSections 501.3 through 501.5 are deleted.\n'

-- First the amendment: its target is not there.
SELECT pg_temp.load(replace(:'state', '\n', E'\n'), 'state', 'amendment');
SELECT target, operation, status, reason FROM codecite.amendments('town');
SELECT number, status, unapplied FROM codecite.amended('501.1', 'town');
-- Then the base: now it is.
SELECT pg_temp.load(replace(:'base', '\n', E'\n'), 'base', 'base');
SELECT target, operation, status, reason FROM codecite.amendments('town');
SELECT number, status, redline FROM unnest(ARRAY['501.1', '501.2', '501.3']) n, LATERAL codecite.amended(n, 'town');
-- A second amendment above the first: its words are not there any more, and it says so; its other operations are applied.
SELECT pg_temp.load(replace(:'county', '\n', E'\n'), 'county', '200');
SELECT document, target, through, operation, scope, status, reason FROM codecite.amendments('town');
SELECT number, status, text, unapplied FROM codecite.amended('501.1', 'town');
SELECT number, status FROM codecite.amended('501.3', 'town');
SELECT document, operation, scope, status FROM codecite.amendments('town', '501.3');
-- The base anew, with another text: operations follow it.
SELECT pg_temp.load(replace(replace(:'base', '\n', E'\n'), '6 feet', '9 feet'), 'base', 'base', again => true);
SELECT document, target, status, reason FROM codecite.amendments('town', '501.1');
-- An amendment dropped: the base is in force again.
SELECT codecite.drop_document('town', 'state'), codecite.drop_document('town', 'county');
SELECT number, status, redline, amended_by FROM unnest(ARRAY['501.1', '501.2', '501.3']) n, LATERAL codecite.amended(n, 'town');
SELECT count(*) FROM codecite.amendments('town');
SELECT codecite.drop_corpus('town');
