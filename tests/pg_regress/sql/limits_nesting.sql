-- Deep nesting ends in an error, or is read as the flat text it is; never in a crash of the server. Each case is a document of
-- one idea repeated: what would overflow a stack that follows it.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/outcome.sql'
\i :file
SELECT pg_backend_pid() AS before \gset
CREATE TEMPORARY TABLE deep (name text, content text);
INSERT INTO deep VALUES
    ('quotes', repeat('> ', 100000) || 'deep'),
    ('lists', repeat('- ', 100000) || 'deep'),
    ('numbered lists', repeat('1. ', 100000) || 'deep'),
    ('brackets', repeat('[', 200000)),
    ('images', repeat('![', 10000)),
    ('emphasis', repeat('*a **b ', 50000)),
    ('closing emphasis', repeat('*', 100000) || 'a' || repeat('*', 100000)),
    ('links', repeat('[a](', 50000)),
    ('html', '<html>' || repeat('<div>', 100000) || 'deep'),
    ('parentheses', '# CHAPTER 1 DOORS' || E'\n\n## 101.1' || repeat('(1)', 50000) || ' Deep.'),
    ('dots', E'# CHAPTER 1 DOORS\n\n## 101' || repeat('.1', 10000) || ' Deep.'),
    ('headings', (SELECT string_agg('# 1' || repeat('.1', i) || E' Level\n\nText.', E'\n\n') FROM generate_series(1, 300) i)),
    ('pipes', repeat('|', 100000) || E'\n' || repeat('|-', 100000) || E'|\n'),
    ('quotation marks', repeat('"', 100000)),
    ('one long word', repeat('a', 1000000)),
    ('one long line', repeat('Doors are wide. ', 60000)),
    ('exceptions', repeat(E'**Exception:** Doors.\n\n', 3000)),
    ('references', repeat('Section 101.1 through ', 20000)),
    ('pdf arrays', E'%PDF-1.4\n1 0 obj\n' || repeat('[', 200000)),
    ('pdf dictionaries', E'%PDF-1.4\n1 0 obj\n' || repeat('<</A ', 100000)),
    ('pdf page tree', E'%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [2 0 R] /Count 1 >>\nendobj\ntrailer << /Root 1 0 R >>\n');

-- An error names the limit; what is not nested at all, or flattened by the reader, is fine.
SELECT name, state, regexp_replace(message, '\d+ > ', '… > ') AS message, hint
FROM deep, LATERAL pg_temp.outcome(format('SELECT codecite.preview(convert_to((SELECT content FROM deep WHERE name = %L), ''UTF8''))', name))
WHERE state <> 'no error' ORDER BY name;
-- What looks like plain text is read as that; called Markdown, it is nested.
SELECT name, state, regexp_replace(message, '\d+ > ', '… > ') AS message
FROM deep, LATERAL pg_temp.outcome(format('SELECT codecite.preview(convert_to((SELECT content FROM deep WHERE name = %L), ''UTF8''), format => ''markdown'')', name))
WHERE state <> 'no error' AND name NOT LIKE 'pdf %' ORDER BY name;
-- The same through ingest: stored whole or not at all.
SELECT count(*) AS cases, count(*) FILTER (WHERE state IN ('no error', '54000', '22P03')) AS ended_well
FROM deep, LATERAL pg_temp.outcome(format('SELECT codecite.ingest(convert_to((SELECT content FROM deep WHERE name = %L), ''UTF8''), ''deep'', document => %L)', name, name));
-- And as a query (each is cut with a notice).
SET client_min_messages = warning;
SELECT count(*) AS cases, count(*) FILTER (WHERE state = 'no error') AS ended_well
FROM deep, LATERAL pg_temp.outcome(format('SELECT codecite.search((SELECT content FROM deep WHERE name = %L))', name));
SELECT count(*) AS cases, count(*) FILTER (WHERE state = 'no error') AS ended_well
FROM deep, LATERAL pg_temp.outcome(format('SELECT codecite.section((SELECT content FROM deep WHERE name = %L))', name));
SELECT count(*) AS cases, count(*) FILTER (WHERE state = 'no error') AS ended_well
FROM deep, LATERAL pg_temp.outcome(format('SELECT codecite.resolve((SELECT content FROM deep WHERE name = %L))', name));
RESET client_min_messages;
SELECT pg_backend_pid() = :before AS same_session;
-- The limit is a setting.
SET codecite.max_nesting = 5;
SELECT state, message, hint FROM pg_temp.outcome($$SELECT codecite.preview(convert_to('> > > > > > deep', 'UTF8'))$$);
RESET codecite.max_nesting;
SELECT state FROM pg_temp.outcome($$SELECT codecite.preview(convert_to('> > > > > > deep', 'UTF8'))$$);
SELECT codecite.drop_corpus('deep') > 0 AS dropped;
