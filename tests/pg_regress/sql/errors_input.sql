-- Whatever is handed to ingest: a clear error with SQLSTATE and hint, nothing stored, and the session goes on.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/outcome.sql'
\i :file
SELECT pg_backend_pid() AS before \gset
\x on
-- No bytes, no text.
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest('', 'bad')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest(convert_to(E' \n\n\t\n', 'UTF8'), 'bad')$$);
SELECT state FROM pg_temp.outcome($$SELECT codecite.ingest(NULL, 'bad')$$);
-- A megabyte of random bytes.
CREATE TEMPORARY TABLE random_bytes AS SELECT string_agg(sha256(int4send(i)), '' ORDER BY i) AS content FROM generate_series(1, 32768) i;
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest(content, 'bad') FROM random_bytes$$);
-- The same behind the header of a PDF, and of a zip.
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest('%PDF-1.7'::bytea || content, 'bad') FROM random_bytes$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest('\x504b0304'::bytea || content, 'bad') FROM random_bytes$$);
-- A PDF cut off in its middle; one that is only a header; one without a word.
CREATE TEMPORARY TABLE pdf AS SELECT decode('JVBERi0xLjQKMSAwIG9iago8PCAvVHlwZSAvQ2F0YWxvZyAvUGFnZXMgMiAwIFIgPj4KZW5kb2JqCjIgMCBvYmoKPDwgL1R5cGUgL1BhZ2VzIC9LaWRzIFs0IDAgUiA2IDAgUl0gL0NvdW50IDIgPj4KZW5kb2JqCjMgMCBvYmoKPDwgL1R5cGUgL0ZvbnQgL1N1YnR5cGUgL1R5cGUxIC9CYXNlRm9udCAvSGVsdmV0aWNhID4+CmVuZG9iago0IDAgb2JqCjw8IC9UeXBlIC9QYWdlIC9QYXJlbnQgMiAwIFIgL01lZGlhQm94IFswIDAgNjEyIDc5Ml0gL1Jlc291cmNlcyA8PCAvRm9udCA8PCAvRjEgMyAwIFIgPj4gPj4gL0NvbnRlbnRzIDUgMCBSID4+CmVuZG9iago1IDAgb2JqCjw8IC9MZW5ndGggMTA5IC9GaWx0ZXIgL0ZsYXRlRGVjb2RlID4+CnN0cmVhbQp42jXLsQrCMBRA0V+5Y3WIeVXorLbiIFTqA+diIkmRBJqAv+/k2c9J2V0EadE3XUtnLeqQA3qjOV+Pdx0mhH4cp8cGXdAtjVgxwjO6Ggx9zmthXj0pVz6+FGqYE3tLTK/gC9/ovPnnQX+mfR+OCmVuZHN0cmVhbQplbmRvYmoKNiAwIG9iago8PCAvVHlwZSAvUGFnZSAvUGFyZW50IDIgMCBSIC9NZWRpYUJveCBbMCAwIDYxMiA3OTJdIC9SZXNvdXJjZXMgPDwgL0ZvbnQgPDwgL0YxIDMgMCBSID4+ID4+IC9Db250ZW50cyA3IDAgUiA+PgplbmRvYmoKNyAwIG9iago8PCAvTGVuZ3RoIDk0IC9GaWx0ZXIgL0ZsYXRlRGVjb2RlID4+CnN0cmVhbQp42g3KQQrCMBBA0av8pbpIZ4KQrotKFy7nAkHTpkUSaHJ/7Fu/yRheinpsIXiCCPZF79ibi4o6z5y2NXfHo9ajEY9EqZ1fao2eY2EUtvLJqZHP6K7Yjt142h9r5Bn4CmVuZHN0cmVhbQplbmRvYmoKeHJlZgowIDgKMDAwMDAwMDAwMCA2NTUzNSBmIAowMDAwMDAwMDA5IDAwMDAwIG4gCjAwMDAwMDAwNTggMDAwMDAgbiAKMDAwMDAwMDEyMSAwMDAwMCBuIAowMDAwMDAwMTkxIDAwMDAwIG4gCjAwMDAwMDAzMTcgMDAwMDAgbiAKMDAwMDAwMDQ5OCAwMDAwMCBuIAowMDAwMDAwNjI0IDAwMDAwIG4gCnRyYWlsZXIgPDwgL1NpemUgOCAvUm9vdCAxIDAgUiA+PgpzdGFydHhyZWYKNzg5CiUlRU9GCg==', 'base64') AS content;
SELECT sections, pages FROM codecite.ingest((SELECT content FROM pdf), 'good');
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest(substr(content, 1, 200), 'bad') FROM pdf$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest('%PDF-1.7', 'bad')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest(decode('JVBERi0xLjQKMSAwIG9iago8PCAvVHlwZSAvQ2F0YWxvZyAvUGFnZXMgMiAwIFIgPj4KZW5kb2JqCjIgMCBvYmoKPDwgL1R5cGUgL1BhZ2VzIC9LaWRzIFs0IDAgUl0gL0NvdW50IDEgPj4KZW5kb2JqCjMgMCBvYmoKPDwgL1R5cGUgL0ZvbnQgL1N1YnR5cGUgL1R5cGUxIC9CYXNlRm9udCAvSGVsdmV0aWNhID4+CmVuZG9iago0IDAgb2JqCjw8IC9UeXBlIC9QYWdlIC9QYXJlbnQgMiAwIFIgL01lZGlhQm94IFswIDAgNjEyIDc5Ml0gL1Jlc291cmNlcyA8PCAvRm9udCA8PCAvRjEgMyAwIFIgPj4gPj4gL0NvbnRlbnRzIDUgMCBSID4+CmVuZG9iago1IDAgb2JqCjw8IC9MZW5ndGggMTggL0ZpbHRlciAvRmxhdGVEZWNvZGUgPj4Kc3RyZWFtCnjaM1AwUDAEo6JUhTQAEzwDAAplbmRzdHJlYW0KZW5kb2JqCnhyZWYKMCA2CjAwMDAwMDAwMDAgNjU1MzUgZiAKMDAwMDAwMDAwOSAwMDAwMCBuIAowMDAwMDAwMDU4IDAwMDAwIG4gCjAwMDAwMDAxMTUgMDAwMDAgbiAKMDAwMDAwMDE4NSAwMDAwMCBuIAowMDAwMDAwMzExIDAwMDAwIG4gCnRyYWlsZXIgPDwgL1NpemUgNiAvUm9vdCAxIDAgUiA+PgpzdGFydHhyZWYKNDAwCiUlRU9GCg==', 'base64'), 'bad')$$);
-- Files that people mix up with documents.
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest('\x89504e470d0a1a0a0000000d49484452', 'bad')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest('\xffd8ffe000104a464946', 'bad')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest('\x1f8b0800000000000003', 'bad')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest('\xd0cf11e0a1b11ae1', 'bad')$$);
-- Text that is not UTF-8: the place is named, the text is not.
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest(convert_to(E'# CHAPTER 1 DOORS\n\nSecret words ', 'UTF8') || '\xff80'::bytea || convert_to(E' go on.\n', 'UTF8'), 'bad')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest(convert_to(E'# CHAPTER 1 CAFÉ DOORS\n\nDoors.\n', 'LATIN1'), 'bad')$$);
-- Arguments.
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest('# A', 'bad', profile => 'icb')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.preview('# A', profile => 'icb')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest('# A', 'bad', format => 'markdwon')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest('# A', 'bad', format => 'pdf')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest(content, 'bad', format => 'markdown') FROM pdf$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest('# A', 'bad', layer => 'bsae')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.ingest('# A', 'bad', layer => '-1')$$);
SELECT state, split_part(message, ':', 1) AS message, detail, hint <> '' AS has_hint FROM pg_temp.outcome($$SELECT codecite.ingest('# A', '')$$);
SELECT state FROM pg_temp.outcome($$SELECT codecite.ingest('# A', NULL)$$);
SELECT state, split_part(message, ':', 1) AS message, detail, hint <> '' AS has_hint FROM pg_temp.outcome($$SELECT codecite.ingest('# A', repeat('long', 60))$$);
SELECT state, split_part(message, ':', 1) AS message, detail, hint <> '' AS has_hint FROM pg_temp.outcome($$SELECT codecite.ingest('# A', 'bad', effective => 'empty')$$);
SELECT state FROM pg_temp.outcome($$SELECT codecite.search(NULL)$$);
-- Settings: a typo in a name or a value.
SELECT * FROM pg_temp.outcome($$SET codecite.max_page = 10$$);
SELECT * FROM pg_temp.outcome($$SET codecite.fusion = 'scorse'$$);
SELECT * FROM pg_temp.outcome($$SET codecite.passage_chars = 1$$);
-- Models.
SELECT * FROM pg_temp.outcome($$SELECT codecite.use_model('no-such-model')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.embed('text', 'documnet')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_model('../../etc')$$);
SELECT state, split_part(message, ':', 1) AS message, detail, hint <> '' AS has_hint FROM pg_temp.outcome($$SELECT codecite.add_model('')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.build_index('no-such-model')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.embed_batch('no-such-model')$$);
SET codecite.model_dir = '';
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_model('some-model')$$);
SET codecite.model_dir = '/nonexistent';
SET codecite.onnxruntime_library = '';
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_model('some-model')$$);
SET codecite.onnxruntime_library = '/nonexistent/libonnxruntime.so';
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_model('some-model')$$);
RESET codecite.onnxruntime_library;
RESET codecite.model_dir;
-- In a read-only transaction what writes is refused at once, before it looks at what it was given.
BEGIN READ ONLY;
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.ingest('# A', 'bad')$$);
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.add_profile('bad', '{}')$$);
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.add_model('no-such-model')$$);
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.add_model('hash')$$);
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.embed_batch()$$);
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.embed_batch('no-such-model')$$);
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.put_embeddings('no-such-model', '{1}', '{1}', '{1}')$$);
COMMIT;
\x off

-- Nothing of all that was stored, and this is still the same session.
SELECT count(*) FROM codecite.corpus WHERE name <> 'good';
SELECT count(*) FROM codecite.document d JOIN codecite.corpus c ON c.id = d.corpus_id WHERE c.name <> 'good';
SELECT count(*) FROM codecite.ingest_run r JOIN codecite.corpus c ON c.id = r.corpus_id WHERE c.name <> 'good';
SELECT pg_backend_pid() = :before AS same_session;
DELETE FROM codecite.corpus;
