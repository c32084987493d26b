-- Tables by number or by the section they belong to: header, rows with spans, Markdown, notes.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/samples.sql'
\i :file
\x on
SELECT corpus, layer, document, edition, number, caption, owner, header_rows, header, jsonb_array_length(rows) AS rows, rows -> 0 AS first_row, notes, page_from, citation, status, note
FROM codecite.table_of('Table 1004.5', 'model-code');
\x off
SELECT left(markdown, 120) AS markdown FROM codecite.table_of('Table 1004.5', 'model-code');
-- The section stands for its tables; every spelling is the same address.
SELECT asked, number, owner, citation FROM unnest(ARRAY['1004.5', 'Section 1004.5', '§1004.5', 'table 1004.5', 'Table 307.1(1)']) asked, LATERAL codecite.table_of(asked, 'model-code', 'base');
-- None: with those further down, or the nearest numbers.
SELECT number, status, note FROM unnest(ARRAY['Chapter 10', '101.1', 'Table 9999', '9999.9', 'hello there']) asked, LATERAL codecite.table_of(asked, 'model-code', 'base');
SELECT number, status, note FROM codecite.table_of('Table 1004.5', 'no-such-corpus');

-- Spans, notes, several tables of one section, one without a number, one in another section than its own.
SELECT FROM codecite.ingest(convert_to($html$<html><body><h1>CHAPTER 5 HEIGHTS</h1>
<h2>SECTION 504 LIMITS</h2><h3>504.1 Height.</h3><p>Heights are as in Table 504.1.</p>
<p><b>Table 504.1 Heights</b></p>
<table><thead><tr><th rowspan="2">Group</th><th colspan="2">Type</th></tr><tr><th>I</th><th>II</th></tr></thead>
<tbody><tr><td>A</td><td>5</td><td>4</td></tr><tr><td>B</td><td colspan="2">3 | 2</td></tr></tbody></table>
<p>Small rooms count less.</p>
<table><tr><td>x</td><td>y</td></tr></table>
<h3>504.2 Width.</h3><p>Text.</p></body></html>$html$, 'UTF8'), 'spans', document => 'spans') \g /dev/null
SELECT number, caption, owner, header_rows, markdown FROM codecite.table_of('504.1', 'spans');
SELECT row.n, row.value AS cells FROM codecite.table_of('Table 504.1', 'spans') t, jsonb_array_elements(t.header || t.rows) WITH ORDINALITY row(value, n);
-- Each cell of the grid is covered once.
SELECT count(*) AS cells, count(DISTINCT (r.n, c)) AS different
FROM codecite.table_of('Table 504.1', 'spans') t, jsonb_array_elements(t.header || t.rows) WITH ORDINALITY row(value, n), jsonb_array_elements(row.value) cell,
     generate_series(row.n, row.n + (cell ->> 'row_span')::int - 1) r(n), generate_series((cell ->> 'column')::int, (cell ->> 'column')::int + (cell ->> 'column_span')::int - 1) c;
SELECT codecite.drop_corpus('spans'), codecite.drop_corpus('model-code'), codecite.drop_corpus('design-standard');
