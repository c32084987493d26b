-- A document has an identity: corpus, layer and document key; each edition of it is a row. Nothing is stored twice, and
-- nothing is replaced unless that is asked for.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/outcome.sql'
\i :file

-- The first edition. The key comes from the file's name, without its folders.
SELECT corpus, layer, document, edition, sections, superseded
FROM codecite.ingest(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nDoors are not less than 30 inches wide.\n', 'UTF8'),
                     'identity', edition => '2020', effective => '[2020-01-01,)', filename => '/home/someone/doors.md');

-- The same bytes again are refused, under their own name and under another.
\x on
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nDoors are not less than 30 inches wide.\n', 'UTF8'),
    'identity', edition => '2020', effective => '[2020-01-01,)', filename => 'doors.md')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nDoors are not less than 30 inches wide.\n', 'UTF8'),
    'identity', filename => 'renamed.md')$$);
-- So are other bytes under the same key and edition.
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nDoors are not less than 31 inches wide.\n', 'UTF8'),
    'identity', edition => '2020', effective => '[2020-01-01,)', filename => 'doors.md')$$);
\x off
SELECT document, edition, superseded FROM codecite.documents('identity');

-- replace => true replaces the same edition.
SELECT document, edition, superseded
FROM codecite.ingest(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nDoors are not less than 32 inches wide.\n', 'UTF8'),
                     'identity', edition => '2020', effective => '[2020-01-01,)', filename => 'doors.md', replace => true);
SELECT document, edition, superseded FROM codecite.documents('identity');
SELECT body FROM codecite.section('101.1', 'identity');

-- Another edition of the same document supersedes; the report says which.
SELECT document, edition, superseded
FROM codecite.ingest(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nDoors are not less than 34 inches wide.\n', 'UTF8'),
                     'identity', edition => '2024', effective => '[2024-01-01,)', document => 'doors');
SELECT document, edition, effective, superseded FROM codecite.documents('identity');

-- Both stay addressable: as_of picks the one that was in force, and without it the latest answers.
SELECT edition, body FROM codecite.section('101.1', 'identity');
SELECT edition, body FROM codecite.section('101.1', 'identity', as_of => '2022-06-01');
SELECT edition, body FROM codecite.section('101.1', 'identity', as_of => '2024-01-01');
SELECT status FROM codecite.section('101.1', 'identity', as_of => '2019-12-31');
SELECT edition, citation, body FROM codecite.search('how wide are doors', ARRAY['identity'], 1);
SELECT edition, citation, body FROM codecite.search('how wide are doors', ARRAY['identity'], 1, as_of => '2023-12-31');
SELECT edition, coverage FROM codecite.search('how wide are doors', ARRAY['identity'], 1, as_of => '2019-12-31');

-- An older edition that comes later is superseded by the newer one from the start.
SELECT document, edition, superseded
FROM codecite.ingest(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nDoors are not less than 28 inches wide.\n', 'UTF8'),
                     'identity', edition => '2016', effective => '[2016-01-01,2020-01-01)', document => 'doors');
SELECT edition FROM codecite.section('101.1', 'identity');
SELECT edition FROM codecite.section('101.1', 'identity', as_of => '2018-01-01');

-- Another file name, or another layer, is another document: nothing is superseded.
SELECT document, layer, superseded
FROM codecite.ingest(convert_to(E'# CHAPTER 2 STAIRS\n\n## 201.1 Width.\n\nStairs are not less than 36 inches wide.\n', 'UTF8'),
                     'identity', filename => 'stairs.md');
SELECT document, layer, superseded
FROM codecite.ingest(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nDoors are not less than 36 inches wide.\n', 'UTF8'),
                     'identity', 'amendment', document => 'doors');
SELECT layer, document, edition, superseded FROM codecite.documents('identity');

-- Without a name, the key is made from the bytes: the same for the same bytes.
SELECT document ~ '^[0-9a-f]{16}$' AS is_digest
FROM codecite.ingest(convert_to(E'# CHAPTER 3 RAMPS\n\n## 301.1 Slope.\n\nRamps are not steeper than 1 in 12.\n', 'UTF8'), 'identity');

-- Dropping an edition brings the one before it back into force.
SELECT codecite.drop_document('identity', 'doors', 'base', '2024');
SELECT edition, superseded FROM codecite.documents('identity') WHERE document = 'doors' AND layer = 'base';
SELECT edition, body FROM codecite.section('101.1', 'identity', 'base');
\x on
SELECT * FROM pg_temp.outcome($$SELECT codecite.drop_document('identity', 'doors', 'base', '2024')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.drop_document('no-such-corpus', 'doors')$$);
\x off

-- Without an edition all of them go; nothing made from a document outlives it.
SELECT codecite.drop_document('identity', 'doors', 'base');
SELECT layer, document, edition FROM codecite.documents('identity') WHERE document <> '' AND document !~ '^[0-9a-f]{16}$';
SELECT codecite.drop_corpus('identity');
SELECT corpus FROM codecite.corpora() WHERE corpus = 'identity';
SELECT (SELECT count(*) FROM codecite.section s WHERE NOT EXISTS (SELECT FROM codecite.document d WHERE d.id = s.document_id))
     + (SELECT count(*) FROM codecite.chunk s WHERE NOT EXISTS (SELECT FROM codecite.document d WHERE d.id = s.document_id))
     + (SELECT count(*) FROM codecite.posting s WHERE NOT EXISTS (SELECT FROM codecite.document d WHERE d.id = s.document_id))
     + (SELECT count(*) FROM codecite.reference s WHERE NOT EXISTS (SELECT FROM codecite.document d WHERE d.id = s.document_id))
     + (SELECT count(*) FROM codecite.embedding s WHERE NOT EXISTS (SELECT FROM codecite.document d WHERE d.id = s.document_id)) AS orphans;
\x on
SELECT * FROM pg_temp.outcome($$SELECT codecite.drop_corpus('identity')$$);
