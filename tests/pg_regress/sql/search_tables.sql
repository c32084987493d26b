-- A table that is longer than the model's window is cut between its rows; each piece is found, embedded and shown with the
-- caption and the heading rows, and a row brings the section that the table belongs to.
SELECT tables FROM codecite.ingest(convert_to(
    E'# CHAPTER 5 LOADS\n\n## SECTION 501 FLOORS\n\n### 501.2 Weights.\n\nFloors carry the weights of Table 501.2.\n\nTable 501.2 Weights by use\n\n| Use of the room | Weight (kg) |\n|---|---|\n'
    || (SELECT string_agg(format('| Storage of goods of the class numbered %s | %s |', n, 1000 + n), E'\n' ORDER BY n) FROM generate_series(1, 80) n)
    || E'\n| Observatory with a telescope | 4321 |\n\n### 501.3 Marks.\n\nA mark tells the weight.\n', 'UTF8'),
    'tables', document => 'loads', format => 'markdown', profile => 'ibc');
SELECT count(*) > 2 AS pieces, count(header_from) = count(*) - 1 AS all_but_the_first_have_a_header FROM codecite.chunk c
JOIN codecite.corpus p ON p.id = c.corpus_id WHERE p.name = 'tables' AND c.kind = 'table';
SELECT number, left(body, 60) AS begins, body LIKE '%4321%' AS has_the_row
FROM codecite.search('telescope observatory weight', ARRAY['tables'], 3) WHERE kinds @> '{table}' ORDER BY number DESC;
-- What is embedded is what is shown, with the titles above.
SELECT bool_and(e.embedding = codecite.embed(s.breadcrumb || E'\n' || COALESCE(rtrim(substr(s.body, c.header_from + 1, c.header_count), E'\n') || E'\n', '')
                                             || substr(s.body, c.char_from + 1, c.char_count))) AS embedded_with_header
FROM codecite.chunk c JOIN codecite.section s ON s.document_id = c.document_id AND s.ordinal = c.section
JOIN codecite.embedding e ON e.document_id = c.document_id AND e.chunk = c.ordinal JOIN codecite.corpus p ON p.id = c.corpus_id
WHERE p.name = 'tables' AND c.kind = 'table';
SELECT codecite.drop_corpus('tables');
