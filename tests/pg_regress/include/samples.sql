-- Loads the sample codes. Corpus model-code: a base, a state amendment and, a layer higher, a city's. Corpus design-standard: a
-- company standard. The bytes come from the client's files, as a user would send them.
\set ECHO none
\set model `base64 -w 0 "$PG_ABS_SRCDIR/../../samples/model-building-code.md"`
\set state `base64 -w 0 "$PG_ABS_SRCDIR/../../samples/state-amendments.md"`
\set city `base64 -w 0 "$PG_ABS_SRCDIR/../../samples/city-amendments.md"`
\set standard `base64 -w 0 "$PG_ABS_SRCDIR/../../samples/design-standard.md"`
SELECT FROM codecite.ingest(decode(:'model', 'base64'), 'model-code', edition => '2024', filename => 'model-building-code.md',
                            corpus_title => 'Model Building Code') \g /dev/null
SELECT FROM codecite.ingest(decode(:'state', 'base64'), 'model-code', 'amendment', effective => '[2025-01-01,)',
                            filename => 'state-amendments.md') \g /dev/null
SELECT FROM codecite.ingest(decode(:'city', 'base64'), 'model-code', '200', effective => '[2025-07-01,)',
                            filename => 'city-amendments.md') \g /dev/null
SELECT FROM codecite.ingest(decode(:'standard', 'base64'), 'design-standard', filename => 'design-standard.md',
                            corpus_title => 'Aldermoor Studio Design Standard') \g /dev/null
\unset model
\unset state
\unset city
\unset standard
\set ECHO all
