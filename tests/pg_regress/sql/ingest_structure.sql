-- What a document becomes: a tree of sections, chunks of four kinds, references; and its text stays whole.
CREATE TEMPORARY TABLE code AS SELECT $code$**Small Building Code**

Preface without a number.

# CHAPTER 2 DEFINITIONS

## SECTION 202 DEFINITIONS

**CORRIDOR.** An enclosed path to an exit.

**OCCUPANT LOAD.** The number of persons that exits are designed for. See Section 1004.

# CHAPTER 10 MEANS OF EGRESS

## SECTION 1004 OCCUPANT LOAD

### 1004.5 Areas without fixed seating.

The number of occupants shall be as in Table 1004.5 and Sections 1004.5.1 and 1004.6. See also Chapter 9 and Appendix H.

**Exceptions:**

1. Where approved by the building official, the actual number of occupants may be used.
2. Storage rooms of less than 100 square feet need not be counted:
   a. where they are locked; and
   b. where nobody works in them.

**Table 1004.5 Occupant load factors**

| Function | Factor |
|---|---|
| Assembly | 15 net |
| Business | 150 gross |

a. Net areas leave out corridors.

#### 1004.5.1 Increased occupant load.

The occupant load may be increased to one in 7 square feet.

**Exception:** In Group I-2 no increase is permitted.

### 1004.6 Fixed seating.

Seats are counted. A line with three escapes: 5 × 4, naïve, § 202.
$code$ AS content;

-- The tree, from preview, which writes nothing.
SELECT ordinal, number, title, parent, depth, kind, warning FROM codecite.preview(convert_to((SELECT content FROM code), 'UTF8'));
SELECT count(*) FROM codecite.corpora() WHERE corpus = 'structure';

SELECT format, profile, sections, tables, exceptions, definitions, chunks, embedded, pending, superseded, warnings
FROM codecite.ingest(convert_to((SELECT content FROM code), 'UTF8'), 'structure', filename => 'small.md',
                     corpus_title => 'Small Building Code', edition => '2024');

-- The tree that is stored is the one that was previewed.
SELECT count(*) AS sections, count(*) FILTER (WHERE p IS DISTINCT FROM s) AS different
FROM (SELECT ordinal, number, title, parent, depth, kind
      FROM codecite.preview(convert_to((SELECT content FROM code), 'UTF8')) WHERE warning IS NULL) p
FULL JOIN (SELECT ordinal, number, title, parent, depth::integer, kind FROM codecite.section
           WHERE document_id = (SELECT id FROM codecite.document WHERE document = 'small')) s USING (ordinal);
SELECT number, title, kind, depth FROM codecite.toc('structure');

-- Exceptions are units of their own, lists in them included; definitions go by their term; a table by its number.
SELECT number, kind, locator, text FROM codecite.v_chunk WHERE corpus = 'structure' ORDER BY ordinal;

-- A table's cells are kept.
SELECT number, cells -> 'rows' AS rows, cells -> 'columns' AS columns, cell ->> 'row' AS row, cell ->> 'column' AS column, cell ->> 'text' AS text
FROM codecite.section, jsonb_array_elements(cells -> 'cells') cell
WHERE document_id = (SELECT id FROM codecite.document WHERE document = 'small');
SELECT number, kind, breadcrumb, citation, children, refs FROM codecite.section('Table 1004.5', 'structure');

-- The text is faithful: bodies of sections that are not nested, joined in order, are the whole text.
CREATE FUNCTION pg_temp.words(text text) RETURNS text[] LANGUAGE sql AS $$
    -- Without the marks of Markdown: what is left are the words of the code.
    SELECT array_remove(regexp_split_to_array(regexp_replace(regexp_replace($1, '\|[-|]+\|', '', 'g'), '[#*|]', ' ', 'g'), '\s+'), '')
$$;
WITH stored AS (
    SELECT string_agg(body, E'\n' ORDER BY ordinal) AS text FROM codecite.section
    WHERE document_id = (SELECT id FROM codecite.document WHERE document = 'small') AND nested IS NULL)
SELECT pg_temp.words(text) = pg_temp.words(content) AS whole, cardinality(pg_temp.words(content)) AS words FROM stored, code;
-- A nested table stands in the body of its section.
SELECT t.number, position(t.body IN s.body) > 0 AS stands_in, s.number AS section
FROM codecite.section t JOIN codecite.section s ON s.document_id = t.document_id AND s.ordinal = t.nested
WHERE t.document_id = (SELECT id FROM codecite.document WHERE document = 'small');

-- References, in order, and which of them exist. A list under "Table" ends where "Section" begins.
SELECT section, target, through, locator, found FROM codecite.v_reference WHERE corpus = 'structure' ORDER BY section, target COLLATE "C";
SELECT target, locator, through, status, title, citation
FROM codecite.resolve('See Section 1004.5, Exception 2, Table 1004.5, Sections 1004.5.1 through 1004.6 and Section 1099.9.', 'structure');
SELECT target, status FROM codecite.resolve('Section 1004.5', 'no-such-corpus');
SELECT count(*) FROM codecite.resolve('Ten doors and 5 windows.', 'structure');

-- Every spelling of a number is one address; what is not there names its neighbours.
SELECT asked, number, title, status FROM unnest(ARRAY['1004.5', '§1004.5', '§ 1004.5', 'Section 1004.5', '1004.5.', 'sec. 1004.5']) asked,
    LATERAL codecite.section(asked, 'structure');
SELECT number, status, note FROM codecite.section('1004.55', 'structure');
SELECT number, status, note FROM codecite.section('hello there', 'structure');
SELECT number, status, note FROM codecite.section('1004.5', 'no-such-corpus');

SELECT codecite.drop_corpus('structure');
