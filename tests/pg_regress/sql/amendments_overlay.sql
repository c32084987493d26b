-- The overlay and the caller's filters; suffixed numbers; a state's rules that modify sections of a model code.
SELECT document FROM codecite.ingest(convert_to(E'# CHAPTER 10 EXITS\n\n## SECTION 1004 LOADS\n\n### 1004.5 Areas.\n\nA room holds one person for each area unit of Table 1004.5.\n\nTable 1004.5 Areas\n\n| Use | Units |\n|---|---|\n| Library | 50 |\n\n**Exception:** Barns.\n\n### 1004.6 Benches.\n\nA bench holds one person a yard.\n\n## SECTION 1010A DOORS\n\n### 1010A.2 Swing.\n\nA door swings outward.\n', 'UTF8'), 'halls', document => 'model', title => 'Model', format => 'markdown', profile => 'ibc');
SELECT document FROM codecite.ingest(convert_to(E'Rule 4101:1-10-01 Means of egress.\n\n(A) Modify Section 1004.6 of the model code to read:\n\n1004.6 Benches. A bench holds two persons a yard.\n\n(B) Delete the exception to Section 1004.5.\n\n(C) Modify Section 1010A.2 to read:\n\n1010A.2 Swing. A door swings inward.\n', 'UTF8'), 'halls', layer => 'amendment', document => 'rules', title => 'State Rules', format => 'text', profile => 'oac');
SELECT operation, target, scope, status FROM codecite.amendments('halls');
-- As amended, by the number of the model code and by that of the rule.
SELECT n.number, a.status, a.redline FROM unnest(ARRAY['1004.6', '1010A.2', '1004.5']) n(number), LATERAL codecite.amended(n.number, 'halls') a;
SELECT number, layer, status FROM codecite.section('4101:1-10-01', 'halls');
-- Each row of a rank keeps what matched in its own text.
SELECT rank, layer, number, kinds, left(regexp_replace(body, '\s+', ' ', 'g'), 60) AS body, amended_by, citation FROM codecite.search('Section 1004.6', ARRAY['halls'], 1);
SELECT rank, layer, number, amended_by FROM codecite.search('door swings outward 1010A.2', ARRAY['halls'], 1);
-- Filters hold for amendments, too: one layer, one kind, one chapter.
SELECT rank, layer, number, amended_by FROM codecite.search('bench persons yard', ARRAY['halls'], 1, layer => 'base');
SELECT DISTINCT layer, kinds FROM codecite.search('library units', ARRAY['halls'], 5, kinds => '{table}') ORDER BY 1;
-- What amends a section of the chapter belongs to it, wherever it is printed; a base is never shown without it.
SELECT rank, layer, number, amended_by FROM codecite.search('bench persons yard', ARRAY['halls'], 1, chapter => '10');
-- The amendment takes no place from another section: three sections asked for, three ranks given.
SELECT count(DISTINCT rank) AS ranks, count(*) > 3 AS more_rows FROM codecite.search('bench door area swings holds person', ARRAY['halls'], 3);
SELECT codecite.drop_corpus('halls');
