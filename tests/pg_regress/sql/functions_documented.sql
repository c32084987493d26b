-- What \df+ codecite.* promises: every routine says what it does, none can be led astray by a search_path, none runs as another user.
SELECT p.oid::regprocedure AS without_comment FROM pg_proc p
WHERE p.pronamespace = 'codecite'::regnamespace AND obj_description(p.oid, 'pg_proc') IS NULL ORDER BY 1;
-- A procedure that commits cannot have a SET clause.
SELECT p.proname AS without_search_path, p.prokind AS kind FROM pg_proc p
WHERE p.pronamespace = 'codecite'::regnamespace AND NOT COALESCE('search_path=pg_catalog, pg_temp' = ANY (p.proconfig), false) ORDER BY 1;
SELECT p.oid::regprocedure AS security_definer FROM pg_proc p WHERE p.pronamespace = 'codecite'::regnamespace AND p.prosecdef;
SELECT p.oid::regprocedure AS leakproof FROM pg_proc p WHERE p.pronamespace = 'codecite'::regnamespace AND p.proleakproof;
-- Volatility: what writes is volatile and unsafe in parallel; what only computes is immutable.
SELECT p.proname AS routine, p.prokind AS kind,
       CASE p.provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END AS volatility,
       CASE p.proparallel WHEN 's' THEN 'safe' WHEN 'r' THEN 'restricted' ELSE 'unsafe' END AS parallel
FROM pg_proc p WHERE p.pronamespace = 'codecite'::regnamespace ORDER BY p.proname;
-- Tables and views say what they hold; views run with the rights of who asks; every table with a corpus in it has row-level security.
SELECT c.relname AS without_comment FROM pg_class c
WHERE c.relnamespace = 'codecite'::regnamespace AND c.relkind IN ('r', 'v') AND obj_description(c.oid, 'pg_class') IS NULL ORDER BY 1;
SELECT c.relname AS view_of_its_owner FROM pg_class c
WHERE c.relnamespace = 'codecite'::regnamespace AND c.relkind = 'v' AND NOT COALESCE('security_invoker=true' = ANY (c.reloptions), false) ORDER BY 1;
SELECT c.relname AS without_row_security FROM pg_class c
WHERE c.relnamespace = 'codecite'::regnamespace AND c.relkind = 'r' AND NOT c.relrowsecurity ORDER BY 1;
-- Everything is the extension's, and all data is dumped.
SELECT c.relname AS not_dumped FROM pg_class c, pg_extension e
WHERE e.extname = 'codecite' AND c.relnamespace = 'codecite'::regnamespace AND c.relkind IN ('r', 'S') AND NOT c.oid = ANY (e.extconfig) ORDER BY 1;
SELECT obj_description('codecite'::regnamespace, 'pg_namespace') IS NOT NULL AS schema_has_comment;
-- Every setting has a description.
SELECT codecite.version() IS NOT NULL AS loaded;
SELECT name AS without_description FROM pg_settings WHERE name LIKE 'codecite.%' AND COALESCE(short_desc, '') = '' ORDER BY 1;
SELECT name, context, unit FROM pg_settings WHERE name LIKE 'codecite.%' ORDER BY name COLLATE "C";
