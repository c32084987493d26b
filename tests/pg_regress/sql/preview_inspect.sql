-- What a person checks before an ingest: doubts beside the sections, and one screen that sums up.
\pset format aligned
CREATE TEMPORARY TABLE code AS SELECT convert_to(E'# CHAPTER 10 MEANS OF EGRESS\n\n## SECTION 1004 OCCUPANT LOAD\n\n### 1004.1 Design.\n\nThe load shall comply with Section 1004.5 and Chapter 9.\n\n'
'### 1004.3 Posting.\n\nSee Chapter 9.\n\n**Exception:** In Group R no posting.\n\n### 1004.5 Areas.\n\n**Table 1004.5 Factors**\n\n| Use | Factor |\n|---|---|\n| Office | 12 |\n\n'
'### 1004.5 Areas again.\n\nTwice.\n\n# CHAPTER 12 LIGHT\n\n## SECTION 1201 GENERAL\n\n### 1201.1 Scope.\n\nLight.\n', 'UTF8') AS content;
SELECT number, kind, warning, doubt FROM code, codecite.preview(content, 'ibc');
SELECT i.* FROM code, codecite.inspect(content, 'ibc') i;
-- auto tells what the others found.
SELECT detail LIKE 'ibc; numbered headings: ibc 9 (%' AS told FROM code, codecite.inspect(content) WHERE finding = 'profile';
-- No line is too long for a terminal, whatever the file.
\getenv tests PG_ABS_SRCDIR
\set model `base64 -w 0 "$PG_ABS_SRCDIR/../../samples/model-building-code.pdf"`
SELECT finding, count > 0 AS found, detail LIKE 'on pages 1-%' AS says_where FROM codecite.inspect(decode(:'model', 'base64')) WHERE finding IN ('chapter', 'definitions', 'furniture: page');
SELECT max(length(line)) <= 80 AS fits FROM codecite.inspect(decode(:'model', 'base64')), regexp_split_to_table(detail, E'\n') line;
-- It writes nothing, and is careful with its arguments.
SELECT count(*) FROM codecite.corpora();
SELECT codecite.inspect(NULL);
SELECT codecite.inspect('# A', 'no-such-profile');
SELECT codecite.inspect('');
