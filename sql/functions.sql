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

CREATE FUNCTION codecite.nothing_in_force(corpora text[], layer text, as_of date)
RETURNS text
LANGUAGE sql STABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT 'nothing here was in force on ' || to_char(COALESCE(nothing_in_force.as_of, CURRENT_DATE), 'YYYY-MM-DD')
           || COALESCE('; the first text is in force from ' || to_char(min(lower(d.effective)), 'YYYY-MM-DD'), '')
    FROM codecite.document d
    JOIN codecite.corpus c ON c.id = d.corpus_id
    WHERE (nothing_in_force.corpora IS NULL OR c.name = ANY (nothing_in_force.corpora))
      AND (nothing_in_force.layer IS NULL OR d.layer = nothing_in_force.layer)
    HAVING count(*) > 0;
END;
COMMENT ON FUNCTION codecite.nothing_in_force IS
'Why documents_in_force() is empty, when it is: the documents are of another time. NULL: there are none at all.';

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
                     AND ic.relname IN ('embedding_model_' || m.id, 'embedding_model_' || m.id || '_half'))
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

CREATE FUNCTION codecite.drop_model(name text)
RETURNS bigint
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    chosen codecite.model;
    vectors bigint;
BEGIN
    SELECT m.* INTO chosen FROM codecite.model m WHERE m.name = $1;
    IF chosen.id IS NULL THEN
        RAISE EXCEPTION 'there is no model "%"', $1
            USING ERRCODE = 'undefined_object', HINT = 'SELECT * FROM codecite.models() lists them.';
    ELSIF chosen.id = 1 THEN
        RAISE EXCEPTION 'the built-in model "%" cannot be dropped', $1 USING ERRCODE = 'object_not_in_prerequisite_state';
    ELSIF EXISTS (SELECT FROM codecite.models() m WHERE m.model = $1 AND m.in_use) THEN
        RAISE EXCEPTION 'model "%" is in use', $1
            USING ERRCODE = 'object_in_use', HINT = 'SELECT codecite.use_model(name) takes another one into use.';
    END IF;
    SELECT count(*) INTO vectors FROM codecite.embedding e WHERE e.model_id = chosen.id;
    DELETE FROM codecite.model m WHERE m.id = chosen.id;
    RETURN vectors;
END $$;
COMMENT ON FUNCTION codecite.drop_model IS
'Removes a registered model with its vectors; returns how many these were. The one in use and the built-in one stay. Its files are untouched.';

CREATE FUNCTION codecite.build_index(model text DEFAULT NULL, half boolean DEFAULT false)
RETURNS text
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    chosen codecite.model;
    vector_schema text;
    index_name text;
    other_name text;
    type_name text := CASE WHEN half THEN 'halfvec' ELSE 'vector' END;
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
    -- The name tells the search which of the two there is.
    index_name := 'embedding_model_' || chosen.id || CASE WHEN half THEN '_half' ELSE '' END;
    other_name := 'embedding_model_' || chosen.id || CASE WHEN half THEN '' ELSE '_half' END;
    IF to_regclass('codecite.' || other_name) IS NOT NULL THEN
        EXECUTE format('DROP INDEX codecite.%I', other_name);
    END IF;
    -- Built with more care than by default: twice the time, and of the nearest hundred hardly one is missed.
    EXECUTE format(
        'CREATE INDEX IF NOT EXISTS %1$I ON codecite.embedding
         USING hnsw ((embedding::%2$I.%5$I(%3$s)) %2$I.%6$I) WITH (ef_construction = 200) WHERE model_id = %4$s',
        index_name, vector_schema, chosen.dimension, chosen.id, type_name, type_name || '_cosine_ops');
    UPDATE codecite.model m SET wants_index = type_name
    WHERE m.id = chosen.id AND m.id <> 1 AND m.wants_index IS DISTINCT FROM type_name;
    RETURN index_name;
END $$;
COMMENT ON FUNCTION codecite.build_index IS
'Builds the HNSW index over the vectors of a model (of the one in use for none). It pays above codecite.exact_search_max_chunks chunks.
With half it holds the numbers with half the precision: half the size, nearly the same answers. Owner only.';

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

COMMENT ON FUNCTION codecite.pending IS
'Chunks without a vector of a model (of the one in use for none) and what is to be embedded for them, prefix included, in document order;
ask again behind the last row''s document and chunk. For vectors that are computed elsewhere: see put_embeddings.';
COMMENT ON FUNCTION codecite.put_embeddings IS
'Stores vectors computed elsewhere with the same model: for each document and chunk as many numbers as the dimension, one behind the other.
Chunks that are gone or have a vector are passed over; returns how many got one.';

-- Operations --------------------------------------------------------------------------------------------------------

CREATE FUNCTION codecite.progress()
RETURNS TABLE (pid integer, database name, role name, stage text, done bigint, total bigint, seconds integer,
               per_second numeric, remaining interval)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 5 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT a.pid, a.datname, a.usename, p.part[1], p.part[2]::bigint, p.part[3]::bigint, p.part[4]::integer,
           round(p.part[2]::numeric / NULLIF(p.part[4]::numeric, 0), 1),
           (p.part[3]::bigint - p.part[2]::bigint) * p.part[4]::integer / NULLIF(p.part[2]::double precision, 0)
               * interval '1 second'
    FROM pg_stat_activity a
    -- Anyone can set an application name: one that is not ours, or too long for a number, is no row.
    CROSS JOIN LATERAL regexp_match(a.application_name, '^codecite: ([a-z]+) ([0-9]{1,9})/([0-9]{1,9}) ([0-9]{1,7})s$') p(part)
    WHERE p.part IS NOT NULL;
END;
COMMENT ON FUNCTION codecite.progress IS
'What sessions of this server are at: stage is read (done of total are pages or parts of the file), structure, chunk, store or embed
(chunks); seconds in this stage, and how long the rest of it takes at that rate. The same is in pg_stat_activity.application_name.';

CREATE FUNCTION codecite.writer_functions()
RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
RETURN ARRAY['ingest', 'drop_document', 'drop_corpus', 'add_profile', 'drop_profile', 'embed_batch', 'embed_pending', 'put_embeddings'];
COMMENT ON FUNCTION codecite.writer_functions IS 'The names of the routines that grant_write opens, besides what grant_read opens.';

CREATE FUNCTION codecite.missing_grants()
RETURNS TABLE (role text, missing bigint, fix text)
LANGUAGE sql STABLE PARALLEL RESTRICTED ROWS 5 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    WITH routine AS (
        SELECT p.oid, p.proname, p.proacl, p.proowner,
               p.proname = ANY (codecite.writer_functions()) AS writes
        FROM pg_proc p
        WHERE p.pronamespace = 'codecite'::regnamespace
          AND (p.provolatile <> 'v' OR p.proname IN ('preview', 'inspect') OR p.proname = ANY (codecite.writer_functions()))
    ), relation AS (
        SELECT c.relacl FROM pg_class c WHERE c.relnamespace = 'codecite'::regnamespace AND c.relkind IN ('r', 'v')
    ), granted AS (
        -- Whoever may search was given grant_read once; whoever may ingest, grant_write.
        SELECT a.grantee, bool_or(r.proname = 'ingest') AS writer
        FROM routine r CROSS JOIN LATERAL aclexplode(r.proacl) a
        WHERE r.proname IN ('search', 'ingest') AND a.grantee <> r.proowner
        GROUP BY a.grantee
    ), counted AS (
        SELECT g.grantee, g.writer,
               (SELECT count(*) FROM routine r WHERE (g.writer OR NOT r.writes)
                   AND NOT EXISTS (SELECT FROM aclexplode(r.proacl) a WHERE a.grantee = g.grantee AND a.privilege_type = 'EXECUTE'))
               + (SELECT count(*) FROM relation c
                  WHERE NOT EXISTS (SELECT FROM aclexplode(c.relacl) a WHERE a.grantee = g.grantee AND a.privilege_type = 'SELECT')) AS missing
        FROM granted g
    )
    SELECT n.role, c.missing,
           format('SELECT codecite.%s(%L);', CASE WHEN c.writer THEN 'grant_write' ELSE 'grant_read' END, n.role)
    FROM counted c
    CROSS JOIN LATERAL (SELECT CASE WHEN c.grantee = 0 THEN 'public' ELSE pg_get_userbyid(c.grantee)::text END AS role) n
    WHERE c.missing > 0
    ORDER BY n.role;
END;
COMMENT ON FUNCTION codecite.missing_grants IS
'Roles that grant_read or grant_write was called for and that lack some of what it gives now, as after an update that brought new objects.';

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
    SELECT 'model files', CASE WHEN h.problem IS NULL THEN 'ok' ELSE 'error' END, COALESCE(h.problem, 'the model in use embeds'), h.fix
    FROM (VALUES (1)) one LEFT JOIN codecite.model_health() h ON true
    UNION ALL
    SELECT 'index', 'warning', 'the vector index of model ' || m.name || ' is missing',
           'SELECT codecite.build_index(' || quote_literal(m.name) || CASE m.wants_index WHEN 'halfvec' THEN ', half => true' ELSE '' END || ');'
    FROM codecite.model m
    WHERE m.wants_index IS NOT NULL
      AND to_regclass('codecite.embedding_model_' || m.id || CASE m.wants_index WHEN 'halfvec' THEN '_half' ELSE '' END) IS NULL
    UNION ALL
    -- A build that was cut off leaves an index that slows writes and answers nothing.
    SELECT 'index', 'warning', 'index ' || ic.relname || ' is not valid',
           'REINDEX INDEX codecite.' || quote_ident(ic.relname) || ';'
    FROM pg_index i JOIN pg_class ic ON ic.oid = i.indexrelid
    WHERE ic.relnamespace = 'codecite'::regnamespace AND NOT i.indisvalid
    UNION ALL
    SELECT 'grants', 'warning', 'role ' || g.role || ' lacks ' || g.missing || ' of the rights that it was given by kind', g.fix
    FROM codecite.missing_grants() g
    UNION ALL
    SELECT 'settings', 'ok',
           COALESCE('changed: ' || string_agg(s.name || ' = ' || s.setting, ', ' ORDER BY s.name), 'all as they come'), NULL
    FROM pg_settings s
    WHERE s.name LIKE 'codecite.%' AND COALESCE(s.setting, '') <> COALESCE(s.boot_val, '')
      AND s.name NOT IN ('codecite.model_dir', 'codecite.onnxruntime_library')
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

CREATE FUNCTION codecite.repair()
RETURNS TABLE (what text, detail text)
LANGUAGE plpgsql VOLATILE ROWS 5 SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    found_one record;
    -- A restore brings rows and no statistics: without them a table is planned for as if it were small. Looked for first, since
    -- building an index counts the rows and gathers none.
    unknown name[] := ARRAY(
        SELECT c.relname FROM pg_class c
        WHERE c.relnamespace = 'codecite'::regnamespace AND c.relkind = 'r' AND c.reltuples < 0
        ORDER BY c.relname);
    name_of_one name;
BEGIN
    IF NOT pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = 'codecite.embedding'::regclass), 'USAGE') THEN
        RAISE EXCEPTION 'only the owner of the extension''s tables can repair them'
            USING ERRCODE = 'insufficient_privilege';
    END IF;
    FOR found_one IN
        SELECT m.name, m.wants_index FROM codecite.model m
        WHERE m.wants_index IS NOT NULL
          AND to_regclass('codecite.embedding_model_' || m.id || CASE m.wants_index WHEN 'halfvec' THEN '_half' ELSE '' END) IS NULL
        ORDER BY m.id
    LOOP
        what := 'index';
        detail := codecite.build_index(found_one.name, half => found_one.wants_index = 'halfvec') || ' was built for model ' || found_one.name;
        RETURN NEXT;
    END LOOP;
    FOR found_one IN
        SELECT ic.relname AS name, ic.relname ~ '_cc(new|old)[0-9]*$' AS is_copy
        FROM pg_index i JOIN pg_class ic ON ic.oid = i.indexrelid
        WHERE ic.relnamespace = 'codecite'::regnamespace AND NOT i.indisvalid
        ORDER BY ic.relname
    LOOP
        what := 'index';
        -- REINDEX CONCURRENTLY that was cut off leaves its copy beside the index that it was to replace.
        IF found_one.is_copy THEN
            EXECUTE format('DROP INDEX IF EXISTS codecite.%I', found_one.name);
            detail := found_one.name || ' was dropped: a copy that was never finished';
        ELSE
            EXECUTE format('REINDEX INDEX codecite.%I', found_one.name);
            detail := found_one.name || ' was not valid and was built again';
        END IF;
        RETURN NEXT;
    END LOOP;
    FOR found_one IN SELECT g.role, g.missing, g.fix FROM codecite.missing_grants() g LOOP
        EXECUTE found_one.fix;
        what := 'grants';
        detail := 'role ' || found_one.role || ' was given what it lacked of the rights of its kind: ' || found_one.missing;
        RETURN NEXT;
    END LOOP;
    FOREACH name_of_one IN ARRAY unknown LOOP
        EXECUTE format('ANALYZE codecite.%I', name_of_one);
        what := 'statistics';
        detail := name_of_one || ' was analyzed';
        RETURN NEXT;
    END LOOP;
END $$;
COMMENT ON FUNCTION codecite.repair IS
'Puts right what a restore, an upgrade or a build that was cut off leaves: builds the vector indexes that are missing, builds invalid indexes
again, gives roles the rights of their kind that they lack, analyzes tables that never were. One row for each thing done, none where nothing
was to do. Owner only.';

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
COMMENT ON FUNCTION codecite.amendments IS
'What the amending documents of a corpus do, operation by operation, in the order of the stack: to which target (through: the
last of a range), to which part of it (scope), and whether that could be applied to the base: applied, ambiguous or failed, with
the reason. number: only what concerns that section.';

COMMENT ON FUNCTION codecite.amended IS
'A section as amended: the base with every operation of the stack carried out, and the difference by words ([-out-] {+in+}).
status: unchanged, amended, adopted, added, deleted, reserved, renumbered, unclear (unapplied says which operations are not in the text, and
why), not_in_corpus, not_indexed. The base itself is never changed: section() shows it beside the amendments.';

COMMENT ON FUNCTION codecite.compare IS
'What changed from one corpus to another, or between two editions of one (edition_a, edition_b): a row for each section that is
added, deleted, changed, renumbered, or both of the last, with the difference by words. chapter: only that one. Sections are
recognised by number and by text, so a section that moved is not reported as deleted and added.';

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
mode: hybrid, lexical, vector, or rerank (hybrid, and the first codecite.rerank_sections are read again token by token). coverage says whether the corpora cover the question (covered, uncertain, not_covered), coverage_note why.
Words in "quotation marks" must stand in the passage, -words must not. Sections, tables and chapters that the query names come first.';
COMMENT ON FUNCTION codecite.verify IS
'Checks a drafted answer: one row for each citation and each quotation in it. verdict: found, quote_exact, quote_altered (nearest has
the true words, redline the difference), quote_absent, amended, superseded, deleted, not_in_corpus, or not_checked for what is
not indexed here (another code, standard or edition). notes say what else there is: values that are not in the cited text,
exceptions and pages that are not there.';
COMMENT ON FUNCTION codecite.coverage IS
'Whether the corpora cover a question, as search() says it, and the signals that this is weighed by: words (share of the
question''s term weight in the best hits), terms, similarity (best cosine), margin (best above the tenth), agreement (of the
word and vector searches). evals/fit.py fits a model''s floors with it.';
COMMENT ON FUNCTION codecite.model_health IS 'What keeps the model in use from embedding here, for doctor(); no row where nothing does.';
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
