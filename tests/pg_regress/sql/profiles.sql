-- Grammars of one's own: added, checked, listed, used by name and by auto, and what happens to documents when one changes.
\getenv tests PG_ABS_SRCDIR
\set file :tests '/include/outcome.sql'
\i :file
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_reader, regress_writer, regress_other;
RESET client_min_messages;
CREATE ROLE regress_reader;
CREATE ROLE regress_writer;
CREATE ROLE regress_other;
SELECT codecite.grant_read('regress_reader'), codecite.grant_write('regress_writer'), codecite.grant_write('regress_other');

-- A house standard counts "Rule A-1", which no built-in profile knows.
CREATE TEMPORARY TABLE house AS SELECT convert_to(
E'# BOOK A STAIRS\n\n## Rule A-1 Widths\n\nStairs are as in Rule A-2.\n\n## Rule A-2 Heights\n\nStairs are high.\n\n## Rule A-3 Landings\n\nLandings are flat.\n',
'UTF8') AS content;
GRANT SELECT ON house TO PUBLIC;
CREATE TEMPORARY TABLE grammar AS SELECT '{
  "description": "House rules: Book A, Rule A-1",
  "levels": [
    { "kind": "part", "label": "Part", "needs": "style", "patterns": ["(?i:book)\\s+(?P<number>[A-Z])\\b"] },
    { "kind": "section", "needs": "style", "patterns": ["(?i:rule)\\s+(?P<number>[A-Z]-[0-9]+)\\b"] }
  ]
}'::jsonb AS definition;
GRANT SELECT ON grammar TO PUBLIC;
SELECT count(*) FILTER (WHERE number LIKE 'A-%') AS rules FROM house, codecite.preview(content);

SET ROLE regress_writer;
SELECT codecite.add_profile('house', definition) FROM grammar;
SELECT name, builtin, description, levels, documents, changed, owner, problem FROM codecite.profiles() WHERE NOT builtin OR name = 'ibc';
SELECT number, title, kind FROM house, codecite.preview(content, 'house');
-- auto considers it, too.
SELECT profile, sections FROM house, codecite.ingest(content, 'house-rules', document => 'rules');
SELECT name, documents, changed FROM codecite.profiles() WHERE documents > 0;
SELECT document, profile, profile_changed FROM codecite.documents('house-rules');

-- What is refused, and why. The definition is checked as a whole: as JSON, by its keys, by its patterns.
\x on
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_profile('house', definition) FROM grammar$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_profile('ibc', definition) FROM grammar$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_profile('ibc', definition, replace => true) FROM grammar$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_profile('auto', definition) FROM grammar$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_profile('House Rules', definition) FROM grammar$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_profile('', definition) FROM grammar$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_profile(NULL, definition) FROM grammar$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_profile('bad', NULL)$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_profile('bad', '[]')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_profile('bad', '{"description": "x"}')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_profile('bad', definition || '{"colour": "red"}') FROM grammar$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_profile('bad', definition || '{"name": "good"}') FROM grammar$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_profile('bad', jsonb_set(definition, '{levels,1,patterns}', '["[0-9]+"]')) FROM grammar$$);
SELECT state, message, detail LIKE '%unclosed group%' AS names_the_fault, hint FROM pg_temp.outcome($$SELECT codecite.add_profile('bad', jsonb_set(definition, '{levels,1,patterns}', '["(?P<number>[0-9]+"]')) FROM grammar$$);
SELECT state, message, detail <> '' AS has_detail FROM pg_temp.outcome($$SELECT codecite.add_profile('bad', jsonb_set(definition, '{levels,1,patterns}', '["(?P<number>\\w{1000}{1000})"]')) FROM grammar$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_profile('bad', jsonb_set(definition, '{description}', to_jsonb(repeat('long', 20000)))) FROM grammar$$);
\x off
SELECT count(*) AS added_by_mistake FROM codecite.profile WHERE name <> 'house';

-- A document keeps what it was read with: replacing the profile changes nothing, but is told.
SELECT codecite.add_profile('house', definition || '{"description": "House rules, second edition"}', replace => true) FROM grammar;
SELECT name, description, documents, changed FROM codecite.profiles() WHERE NOT builtin;
SELECT document, profile, sections, profile_changed FROM codecite.documents('house-rules');
SELECT status, detail, fix FROM codecite.doctor() WHERE "check" = 'profiles';
-- The same definition in another spelling is no change.
SELECT codecite.add_profile('house', definition, replace => true) FROM grammar;
SELECT profile_changed FROM codecite.documents('house-rules');
SELECT status, detail, fix FROM codecite.doctor() WHERE "check" = 'profiles';

-- Whoever reads sees the profiles; whoever writes may add; only who added one may change it.
SET ROLE regress_reader;
SELECT name, owner FROM codecite.profiles() WHERE NOT builtin;
SELECT count(*) > 2 AS previews FROM house, codecite.preview(content, 'house');
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.add_profile('mine', definition) FROM grammar$$);
SELECT state, message FROM pg_temp.outcome($$SELECT codecite.drop_profile('house')$$);
SET ROLE regress_other;
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_profile('house', definition, replace => true) FROM grammar$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.drop_profile('house')$$);
SELECT state, message FROM pg_temp.outcome($$INSERT INTO codecite.profile (name, definition, owner) SELECT 'planted', definition, 'regress_writer' FROM grammar$$);
SELECT state, message FROM pg_temp.outcome($$UPDATE codecite.profile SET owner = 'regress_other'$$);
UPDATE codecite.profile SET definition = '{}';
DELETE FROM codecite.profile;
SELECT codecite.add_profile('other', definition || '{"name": "other"}') FROM grammar;
SELECT name, owner FROM codecite.profiles() WHERE NOT builtin;
RESET ROLE;
-- A member of the role may, and so may the owner of the tables.
GRANT regress_writer TO regress_other;
SET ROLE regress_other;
SELECT codecite.add_profile('house', definition, replace => true) FROM grammar;
RESET ROLE;
SELECT codecite.drop_profile('other');

-- A row put in by hand that cannot be used keeps nobody from ingesting.
INSERT INTO codecite.profile (name, definition) VALUES ('broken', '{"levels": 1}');
-- Nor does one that took a built-in name by hand stand in its place.
INSERT INTO codecite.profile (name, definition) SELECT 'ibc', definition FROM grammar;
SELECT count(*) FILTER (WHERE number = '101.1') AS still_built_in FROM codecite.preview(convert_to(E'# CHAPTER 1 DOORS\n\n## 101.1 Width.\n\nWide.\n', 'UTF8'), 'ibc');
SELECT name, problem FROM codecite.profiles() WHERE problem IS NOT NULL;
SELECT status, detail, fix FROM codecite.doctor() WHERE "check" = 'profiles';
SELECT profile FROM house, codecite.ingest(content || convert_to(E'\n', 'UTF8'), 'house-rules', document => 'rules-2');
SELECT * FROM pg_temp.outcome($$SELECT codecite.preview(content, 'broken') FROM house$$);
SELECT codecite.drop_profile('broken'), codecite.drop_profile('ibc');

-- Dropping a profile leaves the documents.
SELECT codecite.drop_profile('house');
SELECT document, profile, sections, profile_changed FROM codecite.documents('house-rules');
SELECT number, title FROM codecite.section('A-2', 'house-rules');
\x on
SELECT * FROM pg_temp.outcome($$SELECT codecite.drop_profile('house')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.drop_profile('ibc')$$);
SELECT * FROM pg_temp.outcome($$SELECT codecite.preview(content, 'house') FROM house$$);
\x off

-- There is an end to them.
SELECT count(codecite.add_profile('house-' || n, definition)) FROM grammar, generate_series(1, 64) n;
SELECT * FROM pg_temp.outcome($$SELECT codecite.add_profile('one-more', definition) FROM grammar$$);
SELECT codecite.add_profile('house-1', definition, replace => true) FROM grammar;
DELETE FROM codecite.profile;
SELECT codecite.drop_corpus('house-rules');
DROP OWNED BY regress_reader, regress_writer, regress_other;
DROP ROLE regress_reader, regress_writer, regress_other;
