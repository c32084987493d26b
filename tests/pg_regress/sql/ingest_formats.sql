-- The sample code as Markdown, HTML, DOCX and PDF is one law: the same sections, exceptions, tables and definitions, whatever it
-- was ingested from. Pages only where the format has them.
\set ECHO none
\set md `base64 -w 0 "$PG_ABS_SRCDIR/../../samples/model-building-code.md"`
\set html `base64 -w 0 "$PG_ABS_SRCDIR/../../samples/model-building-code.html"`
\set docx `base64 -w 0 "$PG_ABS_SRCDIR/../../samples/model-building-code.docx"`
\set pdf `base64 -w 0 "$PG_ABS_SRCDIR/../../samples/model-building-code.pdf"`
\set two `base64 -w 0 "$PG_ABS_SRCDIR/../../samples/model-building-code-two-column.pdf"`
CREATE TEMPORARY TABLE report AS
SELECT r.* FROM codecite.ingest(decode(:'md', 'base64'), 'as-md', embed => false, filename => 'code.md') r UNION ALL
SELECT r.* FROM codecite.ingest(decode(:'html', 'base64'), 'as-html', embed => false, filename => 'code.html') r UNION ALL
SELECT r.* FROM codecite.ingest(decode(:'docx', 'base64'), 'as-docx', embed => false, filename => 'code.docx') r UNION ALL
SELECT r.* FROM codecite.ingest(decode(:'pdf', 'base64'), 'as-pdf', embed => false, filename => 'code.pdf') r UNION ALL
SELECT r.* FROM codecite.ingest(decode(:'two', 'base64'), 'as-pdf-two', embed => false, filename => 'code.pdf') r;
\unset md
\unset html
\unset docx
\unset pdf
\unset two
\set ECHO all
SELECT corpus, profile, pages > 0 AS has_pages, tables, exceptions, definitions FROM report ORDER BY corpus;
-- Section by section.
CREATE TEMPORARY TABLE law AS
SELECT c.name AS corpus, s.number, s.title, s.kind, p.number AS parent
FROM codecite.section s JOIN codecite.corpus c ON c.id = s.corpus_id
LEFT JOIN codecite.section p ON p.document_id = s.document_id AND p.ordinal = s.parent
WHERE c.name LIKE 'as-%' AND s.number IS NOT NULL;
ANALYZE law;
SELECT corpus, count(*) AS differences FROM (
    SELECT l.corpus, d.number FROM law l CROSS JOIN LATERAL (
        SELECT m.number FROM law m WHERE m.corpus = 'as-md' AND m.number = l.number
          AND (m.title, m.kind, m.parent) IS DISTINCT FROM (l.title, l.kind, l.parent)) d
    UNION ALL
    SELECT o.corpus, m.number FROM (SELECT DISTINCT corpus FROM law) o JOIN law m ON m.corpus = 'as-md'
    WHERE NOT EXISTS (SELECT FROM law l WHERE l.corpus = o.corpus AND l.number = m.number)) found
GROUP BY corpus ORDER BY corpus;
SELECT corpus, count(*) AS sections FROM law GROUP BY corpus ORDER BY corpus;
-- The same question finds the same section in each, with a page where there are pages.
SELECT corpus, number, page_from IS NOT NULL AS has_page
FROM (VALUES ('as-md'), ('as-html'), ('as-docx'), ('as-pdf'), ('as-pdf-two')) c(name),
     LATERAL codecite.search('How long may a dead-end corridor be?', ARRAY[c.name], 1, mode => 'lexical') s ORDER BY corpus;
-- What is beside the text can be read: running heads of the PDF, the navigation of the page.
SELECT c.name AS corpus, f->>'kind' AS kind, count(*) > 0 AS some
FROM codecite.document d JOIN codecite.corpus c ON c.id = d.corpus_id, jsonb_array_elements(d.furniture) f
WHERE c.name LIKE 'as-%' GROUP BY c.name, f->>'kind' ORDER BY 1, 2;
SELECT sum(codecite.drop_corpus(name)) > 0 AS dropped FROM codecite.corpus WHERE name LIKE 'as-%';
