-- Look-ups by address and by term: what is there, what stands around it, what is missing. As in functions.sql, no
-- search_path reaches the bodies.

-- Postgres guesses 1,000 rows and would read a whole table rather than look a few numbers up.
ALTER FUNCTION codecite.address(text) ROWS 1;
ALTER FUNCTION codecite.pointers(text, text) ROWS 2;
ALTER FUNCTION codecite.mentions(text) ROWS 10;

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
                WHEN NOT EXISTS (SELECT FROM scope) THEN COALESCE(codecite.nothing_in_force(
                         CASE WHEN locate.corpus IS NOT NULL THEN ARRAY[locate.corpus] END, locate.layer, locate.as_of),
                         'no document is indexed here')
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
               children text[], refs text[], status text, note text, locator text, standing text, amended_text text,
               redline text, amended_by text[], unapplied text[], amended_children text[])
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 2 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    WITH above AS (
        -- What may amend: asked once, so that a corpus without amendments pays nothing for them.
        SELECT d.id, d.corpus_id
        FROM codecite.documents_in_force(
                 CASE WHEN section.corpus IS NOT NULL THEN ARRAY[section.corpus] END, NULL, section.as_of) d
        WHERE d.layer_rank > 0 AND section.layer IS NULL
    ), located AS (
        SELECT l.*, d.corpus_id, c.name AS corpus_name,
               -- The whole stack is told with its lowest text.
               row_number() OVER (PARTITION BY d.corpus_id ORDER BY l.place DESC) = 1
               AND EXISTS (SELECT FROM above b WHERE d.corpus_id IS NULL OR b.corpus_id = d.corpus_id) AS is_lowest
        FROM codecite.locate(section.number, section.corpus, section.layer, section.as_of) l
        LEFT JOIN codecite.document d ON d.id = l.document_id
        LEFT JOIN codecite.corpus c ON c.id = d.corpus_id
    )
    SELECT CASE WHEN l.status = 'found' THEN c.name ELSE COALESCE(a.corpus, section.corpus) END,
           CASE WHEN l.status = 'found' THEN d.layer ELSE section.layer END,
           d.document, d.edition, d.effective,
           CASE WHEN l.status = 'found' THEN s.number ELSE l.asked END, s.title, s.breadcrumb, s.kind,
           s.page_from, s.page_to,
           CASE WHEN l.status = 'found' THEN
               codecite.cite(CASE WHEN d.layer_rank > 0 THEN d.title ELSE c.title END, d.edition, s.number, s.title, l.locator,
                             COALESCE(e.label_from, e.page_from::text, s.label_from, s.page_from::text),
                             COALESCE(e.label_to, e.page_to::text, s.label_to, s.page_to::text))
                ELSE a.citation END,
           s.body,
           CASE WHEN l.status = 'found' THEN
               ARRAY(SELECT concat_ws(' ', ch.number, ch.title) FROM codecite.section ch
                     WHERE ch.document_id = s.document_id AND ch.parent = s.ordinal ORDER BY ch.ordinal) END,
           CASE WHEN l.status = 'found' THEN
               ARRAY(SELECT f.target FROM codecite.reference f
                     WHERE f.document_id = s.document_id AND f.section = s.ordinal
                     GROUP BY f.target ORDER BY min(f.ordinal)) END,
           l.status, COALESCE(l.note, a.note), l.locator, a.status, a.text, a.redline, a.amended_by, a.unapplied,
           CASE WHEN l.is_lowest AND l.status = 'found' THEN
               ARRAY(SELECT ch.number FROM codecite.section ch
                     WHERE ch.document_id = s.document_id AND ch.parent = s.ordinal
                       AND (EXISTS (SELECT FROM codecite.amendment m JOIN above b ON b.id = m.document_id
                                    WHERE m.corpus_id = ch.corpus_id AND m.target_key = ch.number_key)
                            OR EXISTS (SELECT FROM codecite.amendment m JOIN above b ON b.id = m.document_id
                                       WHERE m.corpus_id = ch.corpus_id AND m.through_key IS NOT NULL
                                         AND ch.number_key BETWEEN m.target_key AND m.through_key))
                     ORDER BY ch.ordinal) END
    FROM located l
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
    LEFT JOIN LATERAL (
        SELECT m.*
        -- OFFSET keeps the condition from being moved behind the call.
        FROM (SELECT COALESCE(s.number, l.asked) AS number, COALESCE(c.name, section.corpus) AS corpus
              WHERE l.is_lowest AND l.status <> 'not_indexed' OFFSET 0) q
        CROSS JOIN LATERAL codecite.amended(q.number, q.corpus, section.as_of) m
        WHERE m.status NOT IN ('unchanged', 'not_in_corpus', 'not_indexed')
    ) a ON true
    ORDER BY l.place, a.corpus;
END;
COMMENT ON FUNCTION codecite.section IS
'The whole text of a section, table or chapter by number, the highest layer first. An address may name an exception
(1004.5, Exception 2): the citation then does, too. A number that is not there gives one row with status not_in_corpus
(or not_indexed, where there is no document at all) and the nearest numbers in note. Where amendments are in force (and no layer
is named), the lowest text of a corpus tells what comes of them: standing (amended, deleted, reserved, added, adopted,
renumbered, unclear; NULL: nothing amends it), amended_text, redline (see amended()), amended_by, unapplied,
and in amended_children the parts below it that are amended themselves.';

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
               CASE WHEN NOT EXISTS (SELECT FROM scope) THEN COALESCE(codecite.nothing_in_force(
                        CASE WHEN define.corpus IS NOT NULL THEN ARRAY[define.corpus] END, define.layer, define.as_of),
                        'no document is indexed here')
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

CREATE FUNCTION codecite.resolve(text text, corpus text DEFAULT NULL, as_of date DEFAULT NULL)
RETURNS TABLE (target text, locator text, through text, status text, corpus text, layer text, document text,
               title text, citation text, note text)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 10 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT m.target, m.locator, m.through,
           CASE WHEN f.number IS NOT NULL THEN 'found'
                WHEN EXISTS (SELECT FROM codecite.documents_in_force(
                         CASE WHEN resolve.corpus IS NOT NULL THEN ARRAY[resolve.corpus] END, NULL, resolve.as_of)) THEN 'not_in_corpus'
                ELSE 'not_indexed' END,
           f.corpus, f.layer, f.document, f.title, f.citation,
           CASE WHEN f.number IS NULL THEN (
               SELECT codecite.nothing_in_force(CASE WHEN resolve.corpus IS NOT NULL THEN ARRAY[resolve.corpus] END, NULL, resolve.as_of)
               WHERE NOT EXISTS (SELECT FROM codecite.documents_in_force(
                   CASE WHEN resolve.corpus IS NOT NULL THEN ARRAY[resolve.corpus] END, NULL, resolve.as_of))) END
    FROM codecite.mentions(resolve.text) WITH ORDINALITY m(target, target_key, through, locator, n)
    LEFT JOIN LATERAL (
        SELECT c.name AS corpus, d.layer, d.document, d.layer_rank, s.number, s.title, s.document_id, s.ordinal,
               codecite.cite(CASE WHEN d.layer_rank > 0 THEN d.title ELSE c.title END, d.edition, s.number, s.title, m.locator,
                             COALESCE(s.label_from, s.page_from::text), COALESCE(s.label_to, s.page_to::text)) AS citation
        FROM codecite.documents_in_force(
                 CASE WHEN resolve.corpus IS NOT NULL THEN ARRAY[resolve.corpus] END, NULL, resolve.as_of) d
        JOIN codecite.corpus c ON c.id = d.corpus_id
        JOIN codecite.section s ON s.document_id = d.id AND s.number_key = m.target_key
    ) f ON true
    ORDER BY m.n, f.corpus, f.layer_rank DESC, f.document_id DESC, f.ordinal;
END;
COMMENT ON FUNCTION codecite.resolve IS 'The references that a text makes, and whether each is in the corpus on the day as_of, or today.';

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
    ), missing AS (
        SELECT f.corpus_id, f.target_key FROM codecite.reference f WHERE f.document_id IN (SELECT sc.id FROM scope sc)
        EXCEPT
        SELECT t.corpus_id, t.number_key FROM codecite.section t WHERE t.document_id IN (SELECT sc.id FROM scope sc)
    ), mention AS (
        SELECT f.document_id, f.section, min(f.target) AS target, min(f.locator) AS locator, count(*) AS mentions,
               min(f.ordinal) AS first
        FROM codecite.reference f
        JOIN missing m ON m.corpus_id = f.corpus_id AND m.target_key = f.target_key
        WHERE f.document_id IN (SELECT sc.id FROM scope sc)
        GROUP BY f.document_id, f.section, f.target_key
    )
    SELECT sc.corpus_name, sc.layer, sc.document, s.number, s.title, m.target, m.locator, m.mentions,
           codecite.cite(sc.cited_title, sc.edition, s.number, s.title, NULL,
                         COALESCE(s.label_from, s.page_from::text), COALESCE(s.label_to, s.page_to::text))
    FROM mention m
    JOIN scope sc ON sc.id = m.document_id
    JOIN codecite.section s ON s.document_id = m.document_id AND s.ordinal = m.section
    ORDER BY sc.corpus_name, sc.layer_rank, sc.id, m.section, m.first;
END;
COMMENT ON FUNCTION codecite.dangling IS
'The references whose target is in no document of their corpus that is in force: to a chapter that is not loaded, to another law, or
misread. Always as of now: loading the missing file makes them disappear, dropping it brings them back.';
