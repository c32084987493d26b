-- Verbs that are plain SQL, views, and the documentation that \df+ codecite.* prints.
-- Bodies in BEGIN ATOMIC are bound when the extension is created: no search_path reaches them.

CREATE FUNCTION codecite.documents_in_force(corpora text[] DEFAULT NULL, layer text DEFAULT NULL, as_of date DEFAULT NULL)
RETURNS SETOF codecite.document
LANGUAGE sql STABLE PARALLEL SAFE ROWS 20 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT d.*
    FROM codecite.document d
    JOIN codecite.corpus c ON c.id = d.corpus_id
    CROSS JOIN LATERAL (SELECT COALESCE(documents_in_force.as_of, CURRENT_DATE) AS day) t
    WHERE (documents_in_force.corpora IS NULL OR c.name = ANY (documents_in_force.corpora))
      AND (documents_in_force.layer IS NULL OR d.layer = documents_in_force.layer)
      AND COALESCE(d.effective @> t.day, true)
      AND NOT EXISTS (
          SELECT FROM codecite.document n
          WHERE n.corpus_id = d.corpus_id AND n.layer = d.layer AND n.document = d.document AND n.id <> d.id
            AND COALESCE(n.effective @> t.day, true)
            AND (COALESCE(lower(n.effective), '-infinity'), n.id) > (COALESCE(lower(d.effective), '-infinity'), d.id));
END;
COMMENT ON FUNCTION codecite.documents_in_force IS
'The documents that a search sees: of each the edition in force on the day as_of, or today.';

CREATE FUNCTION codecite.nearest_numbers(number_key text, documents bigint[])
RETURNS text[]
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    WITH label AS (
        -- Chapters are near chapters, tables near tables, plain numbers near plain numbers.
        SELECT CASE WHEN strpos(nearest_numbers.number_key, ' ') > 0
                    THEN split_part(nearest_numbers.number_key, ' ', 1) ELSE '' END AS label
    ), near AS (
        (SELECT s.number, s.number_key FROM codecite.section s, label l
         WHERE s.number_key < nearest_numbers.number_key COLLATE "C" AND s.document_id = ANY (nearest_numbers.documents)
           AND CASE WHEN strpos(s.number_key, ' ') > 0 THEN split_part(s.number_key, ' ', 1) ELSE '' END = l.label
         ORDER BY s.number_key DESC LIMIT 2)
        UNION
        (SELECT s.number, s.number_key FROM codecite.section s, label l
         WHERE s.number_key > nearest_numbers.number_key COLLATE "C" AND s.document_id = ANY (nearest_numbers.documents)
           AND CASE WHEN strpos(s.number_key, ' ') > 0 THEN split_part(s.number_key, ' ', 1) ELSE '' END = l.label
         ORDER BY s.number_key LIMIT 2)
    )
    SELECT COALESCE(array_agg(n.number ORDER BY n.number_key), '{}')
    FROM (SELECT number_key, min(number) AS number FROM near GROUP BY number_key) n;
END;
COMMENT ON FUNCTION codecite.nearest_numbers IS 'The numbers of the same sort that stand before and after a key in some documents.';

CREATE FUNCTION codecite.nearest_terms(key text, documents bigint[])
RETURNS text[]
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    WITH asked AS (
        SELECT string_to_array(nearest_terms.key, ' ') AS words
    ), near AS (
        SELECT t.key, min(t.name) AS name,
               (SELECT count(*) FROM unnest(a.words) w WHERE w = ANY (string_to_array(t.key, ' '))) AS shared
        FROM codecite.definition t, asked a
        WHERE t.document_id = ANY (nearest_terms.documents) AND string_to_array(t.key, ' ') && a.words
        GROUP BY t.key, a.words
    )
    SELECT COALESCE(array_agg(n.name ORDER BY n.shared DESC, n.key), '{}')
    FROM (SELECT * FROM near ORDER BY near.shared DESC, near.key LIMIT 5) n;
END;
COMMENT ON FUNCTION codecite.nearest_terms IS 'Defined terms of some documents that share words with a key.';

CREATE FUNCTION codecite.definition_text(document_id bigint, chunk integer, chunk_to integer)
RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT substr(s.body, f.char_from + 1, t.char_from + t.char_count - f.char_from)
    FROM codecite.chunk f
    JOIN codecite.chunk t ON t.document_id = f.document_id AND t.ordinal = definition_text.chunk_to
    JOIN codecite.section s ON s.document_id = f.document_id AND s.ordinal = f.section
    WHERE f.document_id = definition_text.document_id AND f.ordinal = definition_text.chunk;
END;
COMMENT ON FUNCTION codecite.definition_text IS 'The text of a definition, which may be several chunks in a row.';

CREATE FUNCTION codecite.table_rows(cells jsonb, from_row integer, to_row integer)
RETURNS jsonb
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT CASE WHEN table_rows.cells IS NOT NULL THEN COALESCE((
        SELECT jsonb_agg(COALESCE(r.cells, '[]') ORDER BY n.n)
        FROM generate_series(table_rows.from_row,
                             COALESCE(table_rows.to_row, (table_rows.cells ->> 'rows')::integer) - 1) n(n)
        LEFT JOIN (SELECT (c.value ->> 'row')::integer AS row,
                          jsonb_agg(c.value - 'row' ORDER BY (c.value ->> 'column')::integer) AS cells
                   FROM jsonb_array_elements(table_rows.cells -> 'cells') c
                   GROUP BY 1) r ON r.row = n.n), '[]') END;
END;
COMMENT ON FUNCTION codecite.table_rows IS 'Rows of the stored cells of a table, each an array of the cells that begin in it.';

CREATE FUNCTION codecite.ask(query text, k integer DEFAULT 3, corpora text[] DEFAULT NULL)
RETURNS TABLE (rank integer, citation text, passage text)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 5 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT s.rank,
           codecite.wrap(CASE WHEN s.citation = '' THEN s.coverage ELSE s.citation END, 30),
           codecite.wrap(CASE WHEN s.body = '' THEN s.coverage_note
                              WHEN s.coverage <> 'covered' AND s.rank = 1
                              THEN '[' || s.coverage || ': ' || s.coverage_note || ']' || E'\n' || s.body
                              ELSE s.body END, 74)
    FROM codecite.search(ask.query, ask.corpora, ask.k) s;
END;
COMMENT ON FUNCTION codecite.ask IS
'search() for people: rank, citation and passage, wrapped for a terminal of 120 columns.';

CREATE FUNCTION codecite.locate(number text, corpus text DEFAULT NULL, layer text DEFAULT NULL, as_of date DEFAULT NULL)
RETURNS TABLE (asked text, locator text, status text, note text, document_id bigint, section integer, place integer)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 2 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    WITH asked AS (
        SELECT a.number, a.keys, a.locator FROM codecite.address(locate.number) a
    ), scope AS (
        SELECT d.id, d.layer_rank, d.effective, c.name AS corpus_name
        FROM codecite.documents_in_force(
                 CASE WHEN locate.corpus IS NOT NULL THEN ARRAY[locate.corpus] END, locate.layer, locate.as_of) d
        JOIN codecite.corpus c ON c.id = d.corpus_id
    ), candidate AS (
        SELECT a.number, a.locator, k.n, s.document_id, s.ordinal, sc.corpus_name, sc.layer_rank, sc.effective
        FROM asked a
        CROSS JOIN LATERAL unnest(a.keys) WITH ORDINALITY k(key, n)
        JOIN codecite.section s ON s.number_key = k.key
        JOIN scope sc ON sc.id = s.document_id
    ), found AS (
        -- A bare 10 is chapter 10 only where nothing is numbered 10.
        SELECT c.*, row_number() OVER (ORDER BY c.corpus_name, c.layer_rank DESC, lower(c.effective) DESC NULLS LAST,
                                                c.document_id DESC, c.ordinal)::integer AS place
        FROM candidate c WHERE c.n = (SELECT min(n) FROM candidate)
    )
    SELECT f.number, e.locator, 'found',
           CASE WHEN f.locator IS NOT NULL AND e.locator IS NULL THEN 'it has no ' || f.locator END,
           f.document_id, f.ordinal, f.place
    FROM found f
    LEFT JOIN LATERAL (
        -- The only exception of a section has no number.
        SELECT c.locator FROM codecite.chunk c
        WHERE c.document_id = f.document_id AND c.section = f.ordinal AND c.kind = 'exception'
          AND (c.locator = f.locator OR c.locator = 'Exception' AND f.locator = 'Exception 1')
        ORDER BY c.ordinal LIMIT 1
    ) e ON true
    UNION ALL
    SELECT COALESCE((SELECT a.number FROM asked a), locate.number), NULL,
           CASE WHEN NOT EXISTS (SELECT FROM scope) THEN 'not_indexed' ELSE 'not_in_corpus' END,
           CASE WHEN NOT EXISTS (SELECT FROM asked) THEN 'this is no number of a section'
                WHEN NOT EXISTS (SELECT FROM scope) THEN 'no document is indexed here'
                ELSE 'nearest: ' || COALESCE(NULLIF(array_to_string(codecite.nearest_numbers(
                         (SELECT a.keys[1] FROM asked a), ARRAY(SELECT scope.id FROM scope)), ', '), ''), 'none') END,
           NULL, NULL, NULL
    WHERE NOT EXISTS (SELECT FROM found);
END;
COMMENT ON FUNCTION codecite.locate IS
'The sections that an address names (1004.5, Table 1004.5, "§1004.5, Exception 2", a pasted citation), the highest layer first;
one row with the reason in status and note where there is none. section, context and table_of are made with it.';

CREATE FUNCTION codecite.section(number text, corpus text DEFAULT NULL, layer text DEFAULT NULL, as_of date DEFAULT NULL)
RETURNS TABLE (corpus text, layer text, document text, edition text, effective daterange, number text, title text,
               breadcrumb text, kind text, page_from integer, page_to integer, citation text, body text,
               children text[], refs text[], status text, note text, locator text)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 2 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT CASE WHEN l.status = 'found' THEN c.name ELSE section.corpus END,
           CASE WHEN l.status = 'found' THEN d.layer ELSE section.layer END,
           d.document, d.edition, d.effective,
           CASE WHEN l.status = 'found' THEN s.number ELSE l.asked END, s.title, s.breadcrumb, s.kind,
           s.page_from, s.page_to,
           CASE WHEN l.status = 'found' THEN
               codecite.cite(CASE WHEN d.layer_rank > 0 THEN d.title ELSE c.title END, d.edition, s.number, s.title, l.locator,
                             COALESCE(e.label_from, e.page_from::text, s.label_from, s.page_from::text),
                             COALESCE(e.label_to, e.page_to::text, s.label_to, s.page_to::text)) END,
           s.body,
           CASE WHEN l.status = 'found' THEN
               ARRAY(SELECT concat_ws(' ', ch.number, ch.title) FROM codecite.section ch
                     WHERE ch.document_id = s.document_id AND ch.parent = s.ordinal ORDER BY ch.ordinal) END,
           CASE WHEN l.status = 'found' THEN
               ARRAY(SELECT f.target FROM codecite.reference f
                     WHERE f.document_id = s.document_id AND f.section = s.ordinal
                     GROUP BY f.target ORDER BY min(f.ordinal)) END,
           l.status, l.note, l.locator
    FROM codecite.locate(section.number, section.corpus, section.layer, section.as_of) l
    LEFT JOIN codecite.section s ON s.document_id = l.document_id AND s.ordinal = l.section
    LEFT JOIN codecite.document d ON d.id = l.document_id
    LEFT JOIN codecite.corpus c ON c.id = d.corpus_id
    LEFT JOIN LATERAL (
        SELECT min(k.page_from) AS page_from, max(k.page_to) AS page_to,
               (array_agg(k.label_from ORDER BY k.ordinal))[1] AS label_from,
               (array_agg(k.label_to ORDER BY k.ordinal DESC))[1] AS label_to
        FROM codecite.chunk k
        WHERE k.document_id = l.document_id AND k.section = l.section AND k.kind = 'exception' AND k.locator = l.locator
    ) e ON l.locator IS NOT NULL
    ORDER BY l.place;
END;
COMMENT ON FUNCTION codecite.section IS
'The whole text of a section, table or chapter by number, the highest layer first. An address may name an exception
(1004.5, Exception 2): the citation then does, too. A number that is not there gives one row with status not_in_corpus
(or not_indexed, where there is no document at all) and the nearest numbers in note.';

CREATE FUNCTION codecite.context(number text, corpus text DEFAULT NULL, layer text DEFAULT NULL, as_of date DEFAULT NULL)
RETURNS TABLE (relation text, corpus text, layer text, document text, edition text, number text, title text, kind text,
               page_from integer, page_to integer, citation text, ordinal integer, status text, note text)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 20 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    WITH located AS (
        SELECT * FROM codecite.locate(context.number, context.corpus, context.layer, context.as_of)
    ), self AS (
        SELECT l.place, s.document_id, s.ordinal, s.corpus_id, s.parent, s.nested, s.number_key, s.body
        FROM located l JOIN codecite.section s ON s.document_id = l.document_id AND s.ordinal = l.section
    ), scope AS (
        -- What refers to it, and what it refers to, may stand in any layer.
        SELECT d.id, d.corpus_id, d.layer, d.layer_rank, d.document, d.edition, c.name AS corpus_name,
               CASE WHEN d.layer_rank > 0 THEN d.title ELSE c.title END AS cited_title
        FROM codecite.documents_in_force(
                 CASE WHEN context.corpus IS NOT NULL THEN ARRAY[context.corpus] END, NULL, context.as_of) d
        JOIN codecite.corpus c ON c.id = d.corpus_id
    ), lowest AS (
        -- The lowest layer knows what stands around a section: an amending document names only what it changes.
        SELECT f.*, sc.layer_rank FROM self f JOIN scope sc ON sc.id = f.document_id
        WHERE sc.layer_rank = (SELECT min(there.layer_rank) FROM self x JOIN scope there ON there.id = x.document_id
                               WHERE x.corpus_id = f.corpus_id)
    ), home AS (
        -- A section that an amendment adds stands below the one in a lower layer that its number goes on from.
        SELECT w.corpus_id, w.place, w.document_id, w.ordinal, w.nested, w.number_key,
               COALESCE(up.document_id, w.document_id) AS home, COALESCE(up.ordinal, w.parent) AS parent,
               COALESCE(up.layer_rank, w.layer_rank) AS layer_rank
        FROM lowest w
        LEFT JOIN LATERAL (
            SELECT s.document_id, s.ordinal, sc.layer_rank
            FROM generate_series(2, length(w.number_key)) at(place)
            JOIN codecite.section s ON s.number_key = left(w.number_key, at.place - 1)
            JOIN scope sc ON sc.id = s.document_id AND sc.corpus_id = w.corpus_id AND sc.layer_rank < w.layer_rank
            WHERE substr(w.number_key, at.place, 1) IN ('.', '-', ':', '(')
            ORDER BY at.place DESC, sc.layer_rank, s.document_id DESC, s.ordinal LIMIT 1
        ) up ON true
    ), mention AS (
        SELECT f.place, f.corpus_id, r.target, r.target_key, r.ordinal AS n
        FROM self f JOIN codecite.reference r ON r.document_id = f.document_id AND r.section = f.ordinal
        WHERE f.nested IS NULL
        UNION ALL
        -- References of a table are kept with the section in whose text it stands.
        SELECT f.place, f.corpus_id, m.target, m.target_key, m.n::integer
        FROM self f
        CROSS JOIN LATERAL codecite.mentions(f.body) WITH ORDINALITY m(target, target_key, through, locator, n)
        WHERE f.nested IS NOT NULL AND m.target_key <> f.number_key
    ), related AS (
        SELECT 1 AS sort, 'parent' AS relation, h.corpus_id, h.place, 0 AS n, p.document_id, p.ordinal, NULL::text AS target
        FROM home h JOIN codecite.section p ON p.document_id = h.home AND p.ordinal = h.parent
        UNION ALL
        SELECT 2, 'sibling', h.corpus_id, h.place, b.ordinal, b.document_id, b.ordinal, NULL
        FROM home h
        JOIN codecite.section b ON b.document_id = h.home AND b.parent IS NOT DISTINCT FROM h.parent
                               AND b.number_key <> h.number_key AND (b.nested IS NULL) = (h.nested IS NULL)
        UNION ALL
        -- What higher layers change and add beside it.
        SELECT 2, 'sibling', h.corpus_id, h.place, b.ordinal, b.document_id, b.ordinal, NULL
        FROM home h
        JOIN codecite.section p ON p.document_id = h.home AND p.ordinal = h.parent
        JOIN codecite.section b ON b.number_key > p.number_key AND b.number_key < p.number_key || '~'
                               AND substr(b.number_key, length(p.number_key) + 1) ~ '^[.:(-][^.:( -]+$'
                               AND b.number_key <> h.number_key
        JOIN scope sc ON sc.id = b.document_id AND sc.corpus_id = h.corpus_id AND sc.layer_rank > h.layer_rank
        UNION ALL
        SELECT 3, 'child', f.corpus_id, f.place, ch.ordinal, ch.document_id, ch.ordinal, NULL
        FROM self f JOIN codecite.section ch ON ch.document_id = f.document_id AND ch.parent = f.ordinal
        UNION ALL
        SELECT 3, 'child', h.corpus_id, h.place, ch.ordinal, ch.document_id, ch.ordinal, NULL
        FROM home h
        JOIN codecite.section ch ON ch.number_key > h.number_key AND ch.number_key < h.number_key || '~'
                                AND substr(ch.number_key, length(h.number_key) + 1) ~ '^[.:(-][^.:( -]+$'
        JOIN scope sc ON sc.id = ch.document_id AND sc.corpus_id = h.corpus_id AND sc.layer_rank > h.layer_rank
        UNION ALL
        SELECT 4, 'reference', m.corpus_id, m.place, m.n, t.id, t.ordinal, m.target
        FROM mention m
        LEFT JOIN LATERAL (
            SELECT sc.id, s.ordinal FROM codecite.section s JOIN scope sc ON sc.id = s.document_id
            WHERE s.number_key = m.target_key AND sc.corpus_id = m.corpus_id
        ) t ON true
        UNION ALL
        SELECT 5, 'referenced_by', f.corpus_id, f.place, r.section, r.document_id, r.section, NULL
        FROM self f
        JOIN codecite.reference r ON r.corpus_id = f.corpus_id AND r.target_key = f.number_key
        JOIN scope sc ON sc.id = r.document_id
        UNION ALL
        -- "Sections 1004.1 through 1004.3" refer to 1004.2, too.
        SELECT 5, 'referenced_by', f.corpus_id, f.place, r.section, r.document_id, r.section, NULL
        FROM self f
        JOIN codecite.reference r ON r.corpus_id = f.corpus_id AND r.target_key < f.number_key
                                 AND r.through_key > f.number_key
        JOIN scope sc ON sc.id = r.document_id
    ), once AS (
        SELECT r.sort, r.relation, r.corpus_id, r.document_id, r.ordinal, min(r.place) AS place, min(r.n) AS n, min(r.target) AS target
        FROM related r
        WHERE NOT EXISTS (SELECT FROM self f WHERE f.document_id = r.document_id AND f.ordinal = r.ordinal)
        GROUP BY r.sort, r.relation, r.corpus_id, r.document_id, r.ordinal, CASE WHEN r.document_id IS NULL THEN r.target END
    )
    SELECT o.relation, c.name, sc.layer, sc.document, sc.edition, COALESCE(s.number, o.target), s.title, s.kind,
           s.page_from, s.page_to,
           CASE WHEN s.ordinal IS NOT NULL THEN
               codecite.cite(sc.cited_title, sc.edition, s.number, s.title, NULL,
                             COALESCE(s.label_from, s.page_from::text), COALESCE(s.label_to, s.page_to::text)) END,
           row_number() OVER (ORDER BY c.name, o.sort,
               -- References in the order of the text, what governs first; all others by document, the base first.
               CASE WHEN o.sort = 4 THEN o.place END, CASE WHEN o.sort <> 4 THEN sc.layer_rank END,
               CASE WHEN o.sort <> 4 THEN o.document_id END, o.n, sc.layer_rank DESC, o.document_id DESC, o.ordinal)::integer,
           CASE WHEN s.ordinal IS NOT NULL THEN 'found' ELSE 'not_in_corpus' END, NULL
    FROM once o
    JOIN codecite.corpus c ON c.id = o.corpus_id
    LEFT JOIN scope sc ON sc.id = o.document_id
    LEFT JOIN codecite.section s ON s.document_id = o.document_id AND s.ordinal = o.ordinal
    UNION ALL
    SELECT NULL, context.corpus, context.layer, NULL, NULL, l.asked, NULL, NULL, NULL, NULL, NULL, 1, l.status, l.note
    FROM located l WHERE l.status <> 'found'
    ORDER BY 12;
END;
COMMENT ON FUNCTION codecite.context IS
'What stands around a section: relation is parent, sibling, child, reference (what its text refers to, status not_in_corpus where
that is not there) or referenced_by, in this order. Parent and siblings are those of the lowest layer, with what amendments change and add. The number is read as section() reads it; one that is not there gives one
row without a relation, with status and note as in section().';

CREATE FUNCTION codecite.define(term text, corpus text DEFAULT NULL, layer text DEFAULT NULL, as_of date DEFAULT NULL)
RETURNS TABLE (corpus text, layer text, document text, edition text, term text, aliases text[], definition text,
               number text, title text, page_from integer, page_to integer, citation text, see text[], via text,
               status text, note text)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 3 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    WITH asked AS (
        SELECT codecite.term_key(define.term) AS key
    ), scope AS (
        SELECT d.id, d.corpus_id, d.layer, d.layer_rank, d.document, d.edition, d.effective, c.name AS corpus_name,
               CASE WHEN d.layer_rank > 0 THEN d.title ELSE c.title END AS cited_title
        FROM codecite.documents_in_force(
                 CASE WHEN define.corpus IS NOT NULL THEN ARRAY[define.corpus] END, define.layer, define.as_of) d
        JOIN codecite.corpus c ON c.id = d.corpus_id
    ), named AS (
        SELECT DISTINCT sc.corpus_id, t.document_id, t.chunk, t.chunk_to
        FROM asked a JOIN codecite.definition t ON t.key = a.key JOIN scope sc ON sc.id = t.document_id
    ), hit AS (
        SELECT n.*, t.name, x.text
        FROM named n
        JOIN codecite.definition t ON t.document_id = n.document_id AND t.chunk = n.chunk AND t.place = 0
        CROSS JOIN LATERAL codecite.definition_text(n.document_id, n.chunk, n.chunk_to) x(text)
    ), pointer AS (
        SELECT h.corpus_id, h.document_id, h.chunk, h.name, p.target, p.key, p.is_section, p.says_nothing_else, p.n
        FROM hit h
        CROSS JOIN LATERAL codecite.pointers(h.text, h.name) WITH ORDINALITY p(target, key, is_section, says_nothing_else, n)
    ), followed AS (
        -- The definition that is pointed to, once: its own pointers are named, not followed.
        SELECT sc.corpus_id, t.document_id, t.chunk, t.chunk_to, min(p.name) AS via
        FROM pointer p
        JOIN codecite.definition t ON t.key = p.key
        JOIN scope sc ON sc.id = t.document_id AND sc.corpus_id = p.corpus_id
        WHERE NOT p.is_section AND NOT EXISTS (SELECT FROM named n WHERE n.document_id = t.document_id AND n.chunk = t.chunk)
        GROUP BY sc.corpus_id, t.document_id, t.chunk, t.chunk_to
    ), answer AS (
        SELECT h.document_id, h.chunk, h.chunk_to, NULL::text AS via, NULL::integer AS section FROM hit h
        UNION ALL
        SELECT f.document_id, f.chunk, f.chunk_to, f.via, NULL FROM followed f
        UNION ALL
        -- "EXIT. See Section 1002.1." and nothing else: the section, where it does not define the term itself.
        SELECT s.document_id, NULL, NULL, min(p.name), s.ordinal
        FROM pointer p
        JOIN codecite.section s ON s.number_key = p.key
        JOIN scope sc ON sc.id = s.document_id AND sc.corpus_id = p.corpus_id
        WHERE p.is_section AND p.says_nothing_else
          AND NOT EXISTS (SELECT FROM named n
                          WHERE n.corpus_id = p.corpus_id AND (n.document_id, n.chunk) <> (p.document_id, p.chunk))
        GROUP BY s.document_id, s.ordinal
    )
    SELECT w.corpus_name, w.layer, w.document, w.edition, w.term, w.aliases, codecite.plain(w.text), w.number, w.title,
           w.page_from, w.page_to, w.citation, w.see, w.via, w.status, w.note
    FROM (
        SELECT sc.corpus_name, sc.layer, sc.document, sc.edition, COALESCE(t.name, r.via) AS term,
               ARRAY(SELECT o.name FROM codecite.definition o
                     WHERE o.document_id = r.document_id AND o.chunk = r.chunk AND o.place > 0 ORDER BY o.place) AS aliases,
               COALESCE(x.text, s.body) AS text, s.number, s.title,
               COALESCE(k.page_from, s.page_from) AS page_from, COALESCE(e.page_to, s.page_to) AS page_to,
               codecite.cite(sc.cited_title, sc.edition, s.number, s.title, t.name,
                             COALESCE(k.label_from, k.page_from::text, s.label_from, s.page_from::text),
                             COALESCE(e.label_to, e.page_to::text, s.label_to, s.page_to::text)) AS citation,
               ARRAY(SELECT p.target FROM codecite.pointers(x.text, t.name)
                         WITH ORDINALITY p(target, key, is_section, says_nothing_else, n) ORDER BY p.n) AS see,
               r.via, 'found' AS status, NULL::text AS note, sc.layer_rank, sc.effective, r.document_id, s.ordinal, r.chunk
        FROM answer r
        JOIN scope sc ON sc.id = r.document_id
        LEFT JOIN codecite.definition t ON t.document_id = r.document_id AND t.chunk = r.chunk AND t.place = 0
        LEFT JOIN codecite.chunk k ON k.document_id = r.document_id AND k.ordinal = r.chunk
        LEFT JOIN codecite.chunk e ON e.document_id = r.document_id AND e.ordinal = r.chunk_to
        JOIN codecite.section s ON s.document_id = r.document_id AND s.ordinal = COALESCE(k.section, r.section)
        LEFT JOIN LATERAL codecite.definition_text(r.document_id, r.chunk, r.chunk_to) x(text) ON true
        UNION ALL
        SELECT define.corpus, define.layer, NULL, NULL, define.term, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
               CASE WHEN NOT EXISTS (SELECT FROM scope) THEN 'not_indexed' ELSE 'not_in_corpus' END,
               CASE WHEN NOT EXISTS (SELECT FROM scope) THEN 'no document is indexed here'
                    ELSE 'terms with these words: ' || COALESCE(NULLIF(array_to_string(
                        codecite.nearest_terms(a.key, ARRAY(SELECT scope.id FROM scope)), ', '), ''), 'none') END,
               NULL, NULL, NULL, NULL, NULL
        FROM asked a
        WHERE NOT EXISTS (SELECT FROM named)
    ) w
    ORDER BY w.corpus_name, w.via IS NOT NULL, w.layer_rank DESC, lower(w.effective) DESC NULLS LAST, w.document_id DESC,
             w.ordinal, w.chunk;
END;
COMMENT ON FUNCTION codecite.define IS
'The definitions of a term, in any case, singular or plural, with or without hyphens, by any of its names; an amendment''s above
its base''s. see names what a definition refers to; the definition that it sends to (or the section, where it says nothing
else) follows with via, once. A term that is not there gives one row with status not_in_corpus and terms with the same words in note.';

CREATE FUNCTION codecite.table_of(number text, corpus text DEFAULT NULL, layer text DEFAULT NULL, as_of date DEFAULT NULL)
RETURNS TABLE (corpus text, layer text, document text, edition text, number text, caption text, owner text,
               header_rows integer, header jsonb, rows jsonb, markdown text, notes text[], page_from integer,
               page_to integer, citation text, status text, note text)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 2 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    WITH located AS (
        SELECT 0 AS n, l.* FROM codecite.locate(table_of.number, table_of.corpus, table_of.layer, table_of.as_of) l
        UNION ALL
        -- 1004.5 also means Table 1004.5, which may belong to another section.
        SELECT 1, l.*
        FROM codecite.address(table_of.number) a
        CROSS JOIN LATERAL codecite.locate('Table ' || a.number, table_of.corpus, table_of.layer, table_of.as_of) l
        WHERE a.label IS NULL AND l.status = 'found'
    ), scope AS (
        SELECT d.id, d.layer, d.layer_rank, d.document, d.edition, d.effective, c.name AS corpus_name,
               CASE WHEN d.layer_rank > 0 THEN d.title ELSE c.title END AS cited_title
        FROM codecite.document d JOIN codecite.corpus c ON c.id = d.corpus_id
        WHERE d.id IN (SELECT l.document_id FROM located l)
    ), own AS (
        SELECT t.document_id, t.ordinal
        FROM located l
        JOIN codecite.section t ON t.document_id = l.document_id AND t.kind = 'table'
                               AND (t.ordinal = l.section OR t.parent = l.section)
        GROUP BY t.document_id, t.ordinal
    )
    SELECT w.corpus_name, w.layer, w.document, w.edition, w.number, w.caption, w.owner, w.header_rows,
           codecite.table_rows(w.cells, 0, w.header_rows), codecite.table_rows(w.cells, w.header_rows, NULL),
           w.markdown, w.notes, w.page_from, w.page_to, w.citation, w.status, w.note
    FROM (
        SELECT sc.corpus_name, sc.layer, sc.document, sc.edition, t.number,
               codecite.plain(COALESCE(t.cells ->> 'caption', NULLIF(concat_ws(' ', t.number, t.title), ''))) AS caption,
               p.number AS owner, (t.cells ->> 'header_rows')::integer AS header_rows, t.cells,
               COALESCE(codecite.table_markdown(t.cells), codecite.plain(t.body)) AS markdown,
               ARRAY(SELECT codecite.plain(x.value) FROM jsonb_array_elements_text(t.cells -> 'notes') x) AS notes,
               t.page_from, t.page_to,
               codecite.cite(sc.cited_title, sc.edition, COALESCE(t.number, p.number), COALESCE(t.title, p.title), NULL,
                             COALESCE(t.label_from, t.page_from::text), COALESCE(t.label_to, t.page_to::text)) AS citation,
               'found' AS status,
               CASE WHEN t.cells IS NULL THEN 'its cells were not recognised: markdown has its text as it stands' END AS note,
               sc.layer_rank, sc.effective, t.document_id, t.ordinal
        FROM own o
        JOIN scope sc ON sc.id = o.document_id
        JOIN codecite.section t ON t.document_id = o.document_id AND t.ordinal = o.ordinal
        LEFT JOIN codecite.section p ON p.document_id = t.document_id AND p.ordinal = t.parent
        UNION ALL
        SELECT table_of.corpus, table_of.layer, NULL, NULL, l.asked, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
               CASE WHEN l.status = 'found' THEN 'not_in_corpus' ELSE l.status END,
               CASE WHEN l.status = 'found' THEN 'it has no table; below it: ' || COALESCE((
                        SELECT string_agg(below.number, ', ' ORDER BY below.ordinal)
                        FROM (SELECT t.number, t.ordinal FROM codecite.section s
                              JOIN codecite.section t ON t.document_id = s.document_id AND t.kind = 'table'
                                                     AND t.ordinal BETWEEN s.ordinal AND s.last AND t.number IS NOT NULL
                              WHERE s.document_id = l.document_id AND s.ordinal = l.section
                              ORDER BY t.ordinal LIMIT 20) below), 'none')
                    ELSE l.note END,
               NULL, NULL, NULL, NULL
        FROM located l
        WHERE l.n = 0 AND COALESCE(l.place, 1) = 1 AND NOT EXISTS (SELECT FROM own)
    ) w
    ORDER BY w.corpus_name, w.layer_rank DESC, lower(w.effective) DESC NULLS LAST, w.document_id DESC, w.ordinal;
END;
COMMENT ON FUNCTION codecite.table_of IS
'A table by its number, or all tables that belong to a section, the highest layer first. header and rows are arrays of rows, a
row an array of cells {text, column, row_span, column_span} that begin in it; markdown is the same for reading. Where there is
none, one row says so in status and note, as in section().';

CREATE FUNCTION codecite.toc(corpus text)
RETURNS TABLE (layer text, document text, ordinal integer, number text, title text, kind text, depth integer,
               page_from integer)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 500 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    -- By itself: a join with nothing on its other side might never ask.
    SELECT codecite.require_corpus(toc.corpus);
    SELECT d.layer, d.document, s.ordinal, s.number, s.title, s.kind, s.depth::integer, s.page_from
    FROM codecite.documents_in_force(ARRAY[toc.corpus]) d
    JOIN codecite.section s ON s.document_id = d.id
    WHERE s.number IS NOT NULL
    ORDER BY d.layer_rank, d.id, s.ordinal;
END;
COMMENT ON FUNCTION codecite.toc IS 'The table of contents of a corpus: every numbered part, in document order.';

CREATE FUNCTION codecite.resolve(text text, corpus text DEFAULT NULL)
RETURNS TABLE (target text, locator text, through text, status text, corpus text, layer text, document text,
               title text, citation text)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 10 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT m.target, m.locator, m.through,
           CASE WHEN f.number IS NOT NULL THEN 'found'
                WHEN EXISTS (SELECT FROM codecite.documents_in_force(
                         CASE WHEN resolve.corpus IS NOT NULL THEN ARRAY[resolve.corpus] END)) THEN 'not_in_corpus'
                ELSE 'not_indexed' END,
           f.corpus, f.layer, f.document, f.title, f.citation
    FROM codecite.mentions(resolve.text) WITH ORDINALITY m(target, target_key, through, locator, n)
    LEFT JOIN LATERAL (
        SELECT c.name AS corpus, d.layer, d.document, d.layer_rank, s.number, s.title, s.document_id, s.ordinal,
               codecite.cite(CASE WHEN d.layer_rank > 0 THEN d.title ELSE c.title END, d.edition, s.number, s.title, m.locator,
                             COALESCE(s.label_from, s.page_from::text), COALESCE(s.label_to, s.page_to::text)) AS citation
        FROM codecite.documents_in_force(
                 CASE WHEN resolve.corpus IS NOT NULL THEN ARRAY[resolve.corpus] END) d
        JOIN codecite.corpus c ON c.id = d.corpus_id
        JOIN codecite.section s ON s.document_id = d.id AND s.number_key = m.target_key
    ) f ON true
    ORDER BY m.n, f.corpus, f.layer_rank DESC, f.document_id DESC, f.ordinal;
END;
COMMENT ON FUNCTION codecite.resolve IS 'The references that a text makes, and whether each is in the corpus.';

CREATE FUNCTION codecite.dangling(corpus text DEFAULT NULL)
RETURNS TABLE (corpus text, layer text, document text, section text, title text, target text, locator text,
               mentions bigint, citation text)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 50 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    -- By itself: a join with nothing on its other side might never ask.
    SELECT codecite.require_corpus(dangling.corpus);
    WITH scope AS (
        SELECT d.id, d.corpus_id, d.layer, d.layer_rank, d.document, d.edition, c.name AS corpus_name,
               CASE WHEN d.layer_rank > 0 THEN d.title ELSE c.title END AS cited_title
        FROM codecite.documents_in_force(CASE WHEN dangling.corpus IS NOT NULL THEN ARRAY[dangling.corpus] END) d
        JOIN codecite.corpus c ON c.id = d.corpus_id
    )
    SELECT sc.corpus_name, sc.layer, sc.document, s.number, s.title, r.target, r.locator, r.mentions,
           codecite.cite(sc.cited_title, sc.edition, s.number, s.title, NULL,
                         COALESCE(s.label_from, s.page_from::text), COALESCE(s.label_to, s.page_to::text))
    FROM scope sc
    JOIN LATERAL (
        SELECT f.section, f.target, f.target_key, min(f.locator) AS locator, count(*) AS mentions, min(f.ordinal) AS first
        FROM codecite.reference f WHERE f.document_id = sc.id
        GROUP BY f.section, f.target, f.target_key
    ) r ON NOT EXISTS (SELECT FROM codecite.section t JOIN scope there ON there.id = t.document_id
                       WHERE t.number_key = r.target_key AND there.corpus_id = sc.corpus_id)
    JOIN codecite.section s ON s.document_id = sc.id AND s.ordinal = r.section
    ORDER BY sc.corpus_name, sc.layer_rank, sc.id, r.section, r.first;
END;
COMMENT ON FUNCTION codecite.dangling IS
'The references whose target is in no document of their corpus that is in force: to a chapter that is not loaded, to another law, or
misread. Always as of now: loading the missing file makes them disappear, dropping it brings them back.';

-- Profiles ----------------------------------------------------------------------------------------------------------

CREATE FUNCTION codecite.profiles()
RETURNS TABLE (name text, builtin boolean, description text, levels text, documents bigint, changed bigint, owner text,
               problem text)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 20 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT k.name, k.builtin, k.description, k.levels, d.documents, d.changed, k.owner, k.problem
    FROM codecite.known_profiles() k
    CROSS JOIN LATERAL (
        SELECT count(*) AS documents, count(*) FILTER (WHERE x.profile_digest IS DISTINCT FROM k.digest) AS changed
        FROM codecite.document x WHERE x.profile = k.name
    ) d
    ORDER BY k.builtin, k.name;
END;
COMMENT ON FUNCTION codecite.profiles IS
'The profiles that ingest and preview know, your own first: levels in short, how many documents that you see were read with each,
and with an older version of it (changed). problem says why one cannot be used.';

CREATE FUNCTION codecite.drop_profile(name text)
RETURNS bigint
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    used bigint := (SELECT count(*) FROM codecite.document d WHERE d.profile = $1);
BEGIN
    DELETE FROM codecite.profile p WHERE p.name = $1;
    IF FOUND THEN
        RETURN used;
    END IF;
    IF EXISTS (SELECT FROM codecite.profile p WHERE p.name = $1) THEN
        RAISE EXCEPTION 'profile "%" belongs to another role', $1
            USING ERRCODE = 'insufficient_privilege', HINT = 'SELECT name, owner FROM codecite.profiles() says to which.';
    ELSIF EXISTS (SELECT FROM codecite.known_profiles() k WHERE k.name = $1) THEN
        RAISE EXCEPTION 'profile "%" is built in', $1
            USING ERRCODE = 'reserved_name', HINT = 'Only profiles of users'' own can be dropped.';
    END IF;
    RAISE EXCEPTION 'there is no profile "%"', $1
        USING ERRCODE = 'undefined_object', HINT = 'SELECT * FROM codecite.profiles() lists what is there.';
END $$;
COMMENT ON FUNCTION codecite.drop_profile IS
'Drops a profile of one''s own. Returns how many documents were read with it: they stay as they are.';

CREATE FUNCTION codecite.corpora()
RETURNS TABLE (corpus text, title text, jurisdiction text, documents bigint, sections bigint, chunks bigint,
               pending bigint, restricted boolean)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 10 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT c.name, c.title, c.jurisdiction, count(d.id), COALESCE(sum(d.section_count), 0)::bigint,
           COALESCE(sum(d.chunk_count), 0)::bigint,
           COALESCE(sum(d.chunk_count), 0)::bigint - (
               SELECT count(*) FROM codecite.embedding e
               WHERE e.corpus_id = c.id
                 AND e.model_id = (SELECT m.id FROM codecite.model m WHERE m.used_since IS NOT NULL
                                   ORDER BY m.used_since DESC LIMIT 1)),
           c.restricted
    FROM codecite.corpus c
    LEFT JOIN codecite.document d ON d.corpus_id = c.id
    GROUP BY c.id
    ORDER BY c.name;
END;
COMMENT ON FUNCTION codecite.corpora IS 'The corpora that the caller sees, with counts; pending chunks have no vector of the model in use.';

CREATE FUNCTION codecite.documents(corpus text DEFAULT NULL)
RETURNS TABLE (corpus text, layer text, document text, edition text, effective daterange, title text, format text,
               profile text, pages integer, sections integer, chunks integer, superseded boolean, warnings integer,
               ingested_at timestamptz, profile_changed boolean)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 20 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT c.name, d.layer, d.document, d.edition, d.effective, d.title, d.format, d.profile, d.page_count,
           d.section_count, d.chunk_count, d.superseded_by IS NOT NULL, jsonb_array_length(d.warnings), d.ingested_at,
           d.profile_digest IS DISTINCT FROM k.digest
    FROM codecite.document d
    JOIN codecite.corpus c ON c.id = d.corpus_id
    LEFT JOIN codecite.profile_digests() k ON k.name = d.profile
    WHERE documents.corpus IS NULL OR c.name = documents.corpus
    ORDER BY c.name, d.layer_rank, d.document, d.id;
END;
COMMENT ON FUNCTION codecite.documents IS 'The documents of a corpus, or of all, superseded editions included. profile_changed: its profile is another now than when it was read.';

CREATE FUNCTION codecite.drop_document(corpus text, document text, layer text DEFAULT NULL, edition text DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    gone bigint;
BEGIN
    -- Editions that the dropped one superseded are in force again, or superseded by what comes after it.
    UPDATE codecite.document old SET superseded_by = d.superseded_by
    FROM codecite.document d JOIN codecite.corpus c ON c.id = d.corpus_id
    WHERE old.superseded_by = d.id AND c.name = $1 AND d.document = $2
      AND ($3 IS NULL OR d.layer = $3) AND d.edition IS NOT DISTINCT FROM COALESCE($4, d.edition);
    DELETE FROM codecite.document d USING codecite.corpus c
    WHERE c.id = d.corpus_id AND c.name = $1 AND d.document = $2
      AND ($3 IS NULL OR d.layer = $3) AND d.edition IS NOT DISTINCT FROM COALESCE($4, d.edition);
    GET DIAGNOSTICS gone = ROW_COUNT;
    IF gone = 0 THEN
        RAISE EXCEPTION 'there is no such document in corpus "%"', $1
            USING ERRCODE = 'undefined_object', HINT = 'SELECT * FROM codecite.documents() lists what is there.';
    END IF;
    RETURN gone;
END $$;
COMMENT ON FUNCTION codecite.drop_document IS
'Deletes a document with everything made from it; all its editions, unless one is named. Returns how many.';

CREATE FUNCTION codecite.drop_corpus(corpus text)
RETURNS bigint
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    documents bigint;
BEGIN
    SELECT count(*) INTO documents FROM codecite.document d JOIN codecite.corpus c ON c.id = d.corpus_id WHERE c.name = $1;
    DELETE FROM codecite.corpus c WHERE c.name = $1;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'there is no corpus "%"', $1
            USING ERRCODE = 'undefined_object', HINT = 'SELECT * FROM codecite.corpora() lists what is there.';
    END IF;
    RETURN documents;
END $$;
COMMENT ON FUNCTION codecite.drop_corpus IS 'Deletes a corpus with all its documents. Returns how many documents.';

CREATE FUNCTION codecite.restrict(corpus text, role name)
RETURNS void
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    corpus_id bigint := (SELECT c.id FROM codecite.corpus c WHERE c.name = $1);
BEGIN
    IF corpus_id IS NULL THEN
        RAISE EXCEPTION 'there is no corpus "%"', $1
            USING ERRCODE = 'undefined_object', HINT = 'SELECT * FROM codecite.corpora() lists what is there.';
    END IF;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles r WHERE r.rolname = $2) THEN
        RAISE EXCEPTION 'role "%" does not exist', $2 USING ERRCODE = 'undefined_object';
    END IF;
    INSERT INTO codecite.access (corpus_id, role_name) VALUES (corpus_id, $2) ON CONFLICT DO NOTHING;
    UPDATE codecite.corpus c SET restricted = true WHERE c.id = corpus_id AND NOT c.restricted;
END $$;
COMMENT ON FUNCTION codecite.restrict IS
'From now on only members of the named roles (one call each) see the corpus. Superusers and the owner see everything.';

-- Models ------------------------------------------------------------------------------------------------------------

CREATE FUNCTION codecite.embed(text text, purpose text DEFAULT 'document')
RETURNS vector
LANGUAGE sql STABLE STRICT PARALLEL RESTRICTED COST 10000 SET search_path = pg_catalog, pg_temp
RETURN codecite.embed_array(text, purpose)::vector;
COMMENT ON FUNCTION codecite.embed IS 'The vector of a text by the model in use; purpose is document or query.';

CREATE FUNCTION codecite.models()
RETURNS TABLE (model text, dimension integer, max_tokens integer, in_use boolean, embeddings bigint, pending bigint,
               indexed boolean)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 5 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT m.name, m.dimension, m.max_tokens,
           m.id = (SELECT u.id FROM codecite.model u WHERE u.used_since IS NOT NULL ORDER BY u.used_since DESC LIMIT 1),
           e.n, (SELECT COALESCE(sum(d.chunk_count), 0)::bigint FROM codecite.document d) - e.n,
           EXISTS (SELECT FROM pg_index i JOIN pg_class ic ON ic.oid = i.indexrelid
                   WHERE i.indrelid = 'codecite.embedding'::regclass AND i.indisvalid
                     AND ic.relname = 'embedding_model_' || m.id)
    FROM codecite.model m
    CROSS JOIN LATERAL (SELECT count(*) AS n FROM codecite.embedding x WHERE x.model_id = m.id) e
    ORDER BY m.id;
END;
COMMENT ON FUNCTION codecite.models IS 'The registered embedding models, which one is in use, and what is embedded with each.';

CREATE FUNCTION codecite.use_model(name text)
RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM codecite.model m WHERE m.name = $1) THEN
        RAISE EXCEPTION 'there is no model "%"', $1
            USING ERRCODE = 'undefined_object', HINT = 'SELECT codecite.add_model(name) registers a model; SELECT * FROM codecite.models() lists them.';
    END IF;
    -- The built-in model has id 1 and is never changed; it is in use when no other is.
    UPDATE codecite.model m SET used_since = CASE WHEN m.name = $1 THEN now() END WHERE m.id <> 1;
    RETURN $1;
END $$;
COMMENT ON FUNCTION codecite.use_model IS
'Makes a registered model the one in use. Chunks that it has not embedded are found by their words until CALL codecite.embed_pending().';

CREATE FUNCTION codecite.build_index(model text DEFAULT NULL)
RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    chosen codecite.model;
    vector_schema text;
    index_name text;
BEGIN
    IF NOT pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = 'codecite.embedding'::regclass), 'USAGE') THEN
        RAISE EXCEPTION 'only the owner of the extension''s tables can build an index'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    SELECT m.* INTO chosen FROM codecite.model m
    WHERE CASE WHEN $1 IS NULL THEN m.used_since IS NOT NULL ELSE m.name = $1 END
    ORDER BY m.used_since DESC NULLS LAST LIMIT 1;
    IF chosen.id IS NULL THEN
        RAISE EXCEPTION 'there is no model "%"', $1
            USING ERRCODE = 'undefined_object', HINT = 'SELECT * FROM codecite.models() lists them.';
    END IF;
    SELECT n.nspname INTO vector_schema FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
    WHERE e.extname = 'vector';
    index_name := 'embedding_model_' || chosen.id;
    EXECUTE format(
        'CREATE INDEX IF NOT EXISTS %1$I ON codecite.embedding
         USING hnsw ((embedding::%2$I.vector(%3$s)) %2$I.vector_cosine_ops) WHERE model_id = %4$s',
        index_name, vector_schema, chosen.dimension, chosen.id);
    UPDATE codecite.model m SET wants_index = true WHERE m.id = chosen.id AND m.id <> 1 AND NOT m.wants_index;
    RETURN index_name;
END $$;
COMMENT ON FUNCTION codecite.build_index IS
'Builds the HNSW index over the vectors of a model (of the one in use for none). It pays above codecite.exact_search_max_chunks chunks. Owner only.';

-- A procedure that commits cannot have a SET clause: every name below is qualified instead.
CREATE PROCEDURE codecite.embed_pending(model text DEFAULT NULL, batch integer DEFAULT 256)
LANGUAGE plpgsql
AS $$
DECLARE
    done integer;
BEGIN
    IF codecite.in_transaction_block() THEN
        RAISE EXCEPTION 'codecite.embed_pending() cannot run inside a transaction block'
            USING ERRCODE = 'active_sql_transaction', HINT = 'It commits after each batch: CALL it outside BEGIN, or use SELECT codecite.embed_batch().';
    END IF;
    LOOP
        done := codecite.embed_batch(model, batch);
        EXIT WHEN done OPERATOR(pg_catalog.=) 0;
        COMMIT;
    END LOOP;
END $$;
COMMENT ON PROCEDURE codecite.embed_pending IS
'Embeds all chunks that wait for it, a committed batch at a time. Run it in as many sessions as there are cores; a cancel loses at most one batch.';

-- Operations --------------------------------------------------------------------------------------------------------

CREATE FUNCTION codecite.doctor()
RETURNS TABLE ("check" text, status text, detail text, fix text)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 10 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT 'server', 'ok', 'Postgres ' || current_setting('server_version'), NULL::text
    UNION ALL
    SELECT 'extension', CASE WHEN e.extversion = codecite.version() THEN 'ok' ELSE 'error' END,
           'SQL ' || e.extversion || ', library ' || codecite.version(),
           CASE WHEN e.extversion <> codecite.version() THEN 'ALTER EXTENSION codecite UPDATE;' END
    FROM pg_extension e WHERE e.extname = 'codecite'
    UNION ALL
    SELECT 'pgvector', CASE WHEN string_to_array(e.extversion, '.')::integer[] < ARRAY[0, 8] THEN 'error'
                            WHEN string_to_array(e.extversion, '.')::integer[] < ARRAY[0, 8, 4] THEN 'warning' ELSE 'ok' END,
           e.extversion || ' in schema ' || e.extnamespace::regnamespace::text,
           CASE WHEN string_to_array(e.extversion, '.')::integer[] < ARRAY[0, 8, 4]
                THEN 'Install pgvector 0.8.4 or later, then ALTER EXTENSION vector UPDATE;' END
    FROM pg_extension e WHERE e.extname = 'vector'
    UNION ALL
    SELECT 'model', CASE WHEN m.model = 'hash' THEN 'warning' ELSE 'ok' END,
           m.model || ', ' || m.dimension || ' dimensions, ' || m.embeddings || ' vectors',
           CASE WHEN m.model = 'hash' THEN 'hash knows words, not meaning: SELECT codecite.add_model(''all-MiniLM-L6-v2''), codecite.use_model(''all-MiniLM-L6-v2'');' END
    FROM codecite.models() m WHERE m.in_use
    UNION ALL
    SELECT 'embeddings', CASE WHEN m.pending > 0 THEN 'warning' ELSE 'ok' END, m.pending || ' chunks pending',
           CASE WHEN m.pending > 0 THEN 'CALL codecite.embed_pending();' END
    FROM codecite.models() m WHERE m.in_use
    UNION ALL
    SELECT 'index', 'warning', 'the vector index of model ' || m.name || ' is missing',
           'SELECT codecite.build_index(' || quote_literal(m.name) || ');'
    FROM codecite.model m
    WHERE m.wants_index AND to_regclass('codecite.embedding_model_' || m.id) IS NULL
    UNION ALL
    SELECT 'profiles', CASE WHEN p.bad IS NOT NULL OR d.changed > 0 THEN 'warning' ELSE 'ok' END,
           p.own || ' of users'' own' || COALESCE('; cannot be used: ' || p.bad, '')
               || CASE WHEN d.changed > 0 THEN '; ' || d.changed || ' documents were read with one that has changed since: ' || d.names ELSE '' END,
           CASE WHEN d.changed > 0 THEN 'Ingest them again with replace => true; documents() says which (profile_changed).'
                WHEN p.bad IS NOT NULL THEN 'SELECT name, problem FROM codecite.profiles() says why; add_profile(name, …, replace => true).' END
    FROM (SELECT count(*) FILTER (WHERE NOT k.builtin) AS own, string_agg(k.name, ', ') FILTER (WHERE k.problem IS NOT NULL) AS bad
          FROM codecite.known_profiles() k) p
    CROSS JOIN (SELECT count(*) AS changed, string_agg(DISTINCT x.profile, ', ') AS names
                FROM codecite.documents() x WHERE x.profile_changed AND NOT x.superseded) d
    UNION ALL
    SELECT 'corpora', 'ok', count(*) || ' corpora, ' || COALESCE(sum(c.chunks), 0) || ' chunks', NULL
    FROM codecite.corpora() c;
END;
COMMENT ON FUNCTION codecite.doctor IS 'Checks the installation; each row that is not ok says what to do.';

-- Views for ad-hoc SQL: their columns do not change within a major version.
CREATE VIEW codecite.v_section WITH (security_invoker = true) AS
    SELECT c.name AS corpus, d.layer, d.document, d.edition, d.superseded_by IS NULL AS current, s.ordinal, s.number,
           s.title, s.kind, s.depth, s.breadcrumb, s.page_from, s.page_to, s.body
    FROM codecite.section s
    JOIN codecite.document d ON d.id = s.document_id
    JOIN codecite.corpus c ON c.id = d.corpus_id;
COMMENT ON VIEW codecite.v_section IS 'sections with the names of their document and corpus';

CREATE VIEW codecite.v_chunk WITH (security_invoker = true) AS
    SELECT c.name AS corpus, d.layer, d.document, d.edition, d.superseded_by IS NULL AS current, k.ordinal, s.number,
           k.kind, k.locator, k.page_from, k.page_to, substr(s.body, k.char_from + 1, k.char_count) AS text
    FROM codecite.chunk k
    JOIN codecite.section s ON s.document_id = k.document_id AND s.ordinal = k.section
    JOIN codecite.document d ON d.id = k.document_id
    JOIN codecite.corpus c ON c.id = d.corpus_id;
COMMENT ON VIEW codecite.v_chunk IS 'chunks with their text and the number of their section';

CREATE VIEW codecite.v_reference WITH (security_invoker = true) AS
    SELECT c.name AS corpus, d.document, s.number AS section, r.target, r.through, r.locator,
           EXISTS (SELECT FROM codecite.section t JOIN codecite.document td ON td.id = t.document_id
                   WHERE t.number_key = r.target_key AND td.corpus_id = r.corpus_id AND td.superseded_by IS NULL) AS found
    FROM codecite.reference r
    JOIN codecite.section s ON s.document_id = r.document_id AND s.ordinal = r.section
    JOIN codecite.document d ON d.id = r.document_id
    JOIN codecite.corpus c ON c.id = d.corpus_id;
COMMENT ON VIEW codecite.v_reference IS 'references and whether their target is in the corpus';

COMMENT ON FUNCTION codecite.ingest IS
'Parses one document (PDF, Markdown or text as bytes) and stores its sections, chunks, references and
embeddings, in one transaction. corpus is created when it is new. layer: base, amendment, or a rank. profile: auto, ibc,
nyc, oac, generic, or one of the user''s own. document: the key that makes a later file an edition of the same document (default: the file name''s
stem). The same key with another edition or effective date supersedes; replace => true replaces the same edition.';
COMMENT ON FUNCTION codecite.preview IS
'The tree that an ingest would build, one row a section, then the warnings in rows of kind note; nothing is written. doubt says what
to look at: a gap in the numbers before it, a number that stands twice, a heading that may be prose. inspect() sums up.';
COMMENT ON FUNCTION codecite.inspect IS
'What to check before an ingest, in one screen: the choice of the profile, sections by kind, gaps in the numbers, numbers that stand
twice, weak headings, references to what the file has not, what was taken out of the text, pages that need OCR.';
COMMENT ON FUNCTION codecite.add_profile IS
'Adds a grammar of one''s own, checked as a whole; returns its name. Only the role that added it (and its members) may replace it. docs/PROFILES.md describes the definition.';
COMMENT ON FUNCTION codecite.known_profiles IS 'Every profile with the digest of its definition; profiles() is for people.';
COMMENT ON FUNCTION codecite.profile_digests IS 'What tells the definition of each profile from what it was before.';
COMMENT ON FUNCTION codecite.address IS 'The number, label, keys and exception that a text names as one part of a code; no row for what is none.';
COMMENT ON FUNCTION codecite.term_key IS 'The key under which a defined term is stored: equal in any case, singular and plural, with and without hyphens.';
COMMENT ON FUNCTION codecite.pointers IS 'Where a definition sends the reader with "See …": terms and sections.';
COMMENT ON FUNCTION codecite.table_markdown IS 'The stored cells of a table as Markdown.';
COMMENT ON FUNCTION codecite.plain IS 'A text without control and bidirectional characters, which could deceive who reads it.';
COMMENT ON FUNCTION codecite.search IS
'Answers a question: the k best sections, each with citation and passage, amendments above the base at the same rank.
mode: hybrid, lexical, vector. coverage says whether the corpora cover the question (covered, uncertain, not_covered), coverage_note why.
Words in "quotation marks" must stand in the passage, -words must not. Sections, tables and chapters that the query names come first.';
COMMENT ON FUNCTION codecite.version IS 'The version of the library that is loaded.';
COMMENT ON FUNCTION codecite.number_key IS 'The key under which a number is stored: equal for all spellings, sorts as people count; NULL for what is no number.';
COMMENT ON FUNCTION codecite.canonical_number IS 'The canonical spelling of a number (1004.5, Table 1004.5, Chapter 10); NULL for what is no number.';
COMMENT ON FUNCTION codecite.cite IS 'Writes a citation from its parts.';
COMMENT ON FUNCTION codecite.require_corpus IS 'The name of a corpus, or an error that there is none of that name.';
COMMENT ON FUNCTION codecite.wrap IS 'Breaks lines at spaces so that none has more characters than width.';
COMMENT ON FUNCTION codecite.terms IS 'The terms under which a text is indexed, for EXPLAINing why something is found.';
COMMENT ON FUNCTION codecite.mentions IS 'The references that a text makes, in order, lists expanded.';
COMMENT ON FUNCTION codecite.embed_array IS 'The vector of a text as an array of numbers; embed() returns it as a vector.';
COMMENT ON FUNCTION codecite.embed_batch IS 'Embeds up to batch waiting chunks in this transaction; returns how many. embed_pending() calls it.';
COMMENT ON FUNCTION codecite.in_transaction_block IS 'True inside BEGIN … COMMIT.';
COMMENT ON FUNCTION codecite.add_model IS 'Registers the model in the folder of that name below codecite.model_dir, after checking its manifest, files and a trial run.';
