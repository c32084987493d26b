-- References are resolved whatever the order in which files come and go.
\set doors `printf '# CHAPTER 7 DOORS\n\n## SECTION 701 DOORS\n\n### 701.1 Width.\n\nDoors are as in Section 801.1 and Section 901.1, Exception 2. See Chapter 8, and Section 801.1 again.\n'`
\set ramps `printf '# CHAPTER 8 RAMPS\n\n## SECTION 801 RAMPS\n\n### 801.1 Slope.\n\nRamps lead to the doors of Section 701.1.\n'`
\set change `printf '# CHAPTER 8 RAMPS\n\n### 801.1 Slope.\n\nRamps are steep, as in Section 701.1 and Section 802.7.\n'`
-- The referring file first, its target later.
SELECT pending FROM codecite.ingest(convert_to(:'doors', 'UTF8'), 'orders', document => 'doors');
SELECT document, section, title, target, locator, mentions, citation FROM codecite.dangling('orders');
SELECT found FROM codecite.v_reference WHERE corpus = 'orders' AND target = '801.1' LIMIT 1;
SELECT pending FROM codecite.ingest(convert_to(:'ramps', 'UTF8'), 'orders', document => 'ramps');
SELECT document, section, target FROM codecite.dangling('orders');
SELECT number, status FROM codecite.context('701.1', 'orders') WHERE relation = 'reference' ORDER BY ordinal;
SELECT number FROM codecite.context('701.1', 'orders') WHERE relation = 'referenced_by' ORDER BY ordinal;
-- Dropping the target brings them back; so does nothing else.
SELECT codecite.drop_document('orders', 'ramps');
SELECT document, section, target, mentions FROM codecite.dangling('orders');
SELECT codecite.drop_corpus('orders');

-- The amendment before its base, and the base before its amendment, give the same.
SELECT pending FROM codecite.ingest(convert_to(:'change', 'UTF8'), 'first', 'amendment', document => 'change');
SELECT layer, section, target FROM codecite.dangling('first');
SELECT pending FROM codecite.ingest(convert_to(:'doors', 'UTF8'), 'first', document => 'doors');
SELECT pending FROM codecite.ingest(convert_to(:'ramps', 'UTF8'), 'first', document => 'ramps');
SELECT pending FROM codecite.ingest(convert_to(:'doors', 'UTF8'), 'last', document => 'doors');
SELECT pending FROM codecite.ingest(convert_to(:'ramps', 'UTF8'), 'last', document => 'ramps');
SELECT pending FROM codecite.ingest(convert_to(:'change', 'UTF8'), 'last', 'amendment', document => 'change');
SELECT layer, section, target FROM codecite.dangling('first');
SELECT count(*) AS different FROM (
    (SELECT layer, document, section, target, mentions FROM codecite.dangling('first') EXCEPT ALL SELECT layer, document, section, target, mentions FROM codecite.dangling('last'))
    UNION ALL
    (SELECT layer, document, section, target, mentions FROM codecite.dangling('last') EXCEPT ALL SELECT layer, document, section, target, mentions FROM codecite.dangling('first'))) d;
SELECT relation, layer, document, number, status FROM codecite.context('801.1', 'first') ORDER BY ordinal;
SELECT count(*) AS different FROM (
    (SELECT relation, layer, document, number, status FROM codecite.context('801.1', 'first') EXCEPT ALL SELECT relation, layer, document, number, status FROM codecite.context('801.1', 'last'))
    UNION ALL
    (SELECT relation, layer, document, number, status FROM codecite.context('801.1', 'last') EXCEPT ALL SELECT relation, layer, document, number, status FROM codecite.context('801.1', 'first'))) d;
SELECT rank, layer, number, amended_by FROM codecite.search('Section 801.1', ARRAY['first'], k => 1);
SELECT rank, layer, number, amended_by FROM codecite.search('Section 801.1', ARRAY['last'], k => 1);
-- A new edition without the section: references to it dangle.
SELECT superseded FROM codecite.ingest(convert_to(E'# CHAPTER 8 RAMPS\n\n## SECTION 801 RAMPS\n\n### 801.2 Width.\n\nWide.\n', 'UTF8'), 'first', document => 'ramps', edition => '2');
SELECT codecite.drop_document('first', 'change');
SELECT document, section, target FROM codecite.dangling('first');
-- Other corpora do not help, and an unknown one is an error.
SELECT codecite.drop_corpus('first'), codecite.drop_corpus('last');
\set SHOW_CONTEXT never
SELECT * FROM codecite.dangling('first');

-- A part that counts anew names its own sections without the part.
SELECT profile, sections FROM codecite.ingest(convert_to(
E'# Foul water\n\n# Requirement H1\n\n2.16 Pipes are as in paragraph 2.17.\n\n2.17 Pipes are laid as in Section 2.16 and Section 2.99.\n\n# Tanks\n\n# Requirement H2\n\n2.16 Tanks are dug.\n\n2.17 Tanks are dug as in Section 2.16.\n', 'UTF8'),
'parts', profile => 'uk-approved-document', document => 'h');
SELECT number FROM codecite.toc('parts');
SELECT section, target, found FROM codecite.v_reference WHERE corpus = 'parts' ORDER BY 1, 2;
SELECT section, target FROM codecite.dangling('parts');
SELECT codecite.drop_corpus('parts');
