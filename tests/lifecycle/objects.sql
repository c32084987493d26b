-- Everything that belongs to the extension, one line an object, with what defines it and whether everybody may use it: for comparing an upgraded installation
-- with a fresh one.
SELECT pg_describe_object(d.classid, d.objid, d.objsubid) || ' ' ||
       COALESCE(CASE d.classid
           WHEN 'pg_proc'::regclass THEN (SELECT md5(concat_ws(' ', pg_get_functiondef(p.oid), obj_description(p.oid, 'pg_proc'), has_function_privilege('public', p.oid, 'EXECUTE'))) FROM pg_proc p WHERE p.oid = d.objid AND p.prokind IN ('f', 'p'))
           WHEN 'pg_class'::regclass THEN
               (SELECT md5(concat_ws(' ', c.relkind, c.relrowsecurity, c.reloptions, obj_description(c.oid, 'pg_class'),
                    CASE WHEN c.relkind <> 'S' THEN has_table_privilege('public', c.oid, 'SELECT, INSERT, UPDATE, DELETE') END, CASE WHEN c.relkind = 'v' THEN pg_get_viewdef(c.oid) END,
                    (SELECT string_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attstorage, col_description(c.oid, a.attnum)), ',' ORDER BY a.attname)
                     FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped),
                    (SELECT string_agg(pg_get_constraintdef(k.oid), ',' ORDER BY k.conname) FROM pg_constraint k WHERE k.conrelid = c.oid),
                    (SELECT string_agg(pg_get_indexdef(i.indexrelid), ',' ORDER BY i.indexrelid::regclass::text) FROM pg_index i WHERE i.indrelid = c.oid AND i.indexrelid::regclass::text NOT LIKE '%embedding\_model\_%'),
                    (SELECT string_agg(concat_ws(' ', p.polname, p.polcmd, pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)), ',' ORDER BY p.polname) FROM pg_policy p WHERE p.polrelid = c.oid)))
                FROM pg_class c WHERE c.oid = d.objid)
           END, '')
FROM pg_depend d
WHERE d.refclassid = 'pg_extension'::regclass AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'codecite') AND d.deptype = 'e'
ORDER BY 1;
SELECT 'dumped: ' || c::regclass || ' ' || COALESCE(e.extcondition[n], '') FROM pg_extension e, unnest(e.extconfig) WITH ORDINALITY c(c, n) WHERE e.extname = 'codecite' ORDER BY 1;
