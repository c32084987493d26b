-- The extension is there, its library loads, and both say the same version.
SELECT extversion = codecite.version() AS same_version FROM pg_extension WHERE extname = 'codecite';
-- doctor() names the settings that are not as they come, and no others.
SELECT detail FROM codecite.doctor() WHERE "check" = 'settings';
SET codecite.rrf_k = 5;
SELECT detail FROM codecite.doctor() WHERE "check" = 'settings';
