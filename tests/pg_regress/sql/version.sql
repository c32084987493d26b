-- The extension is there, its library loads, and both say the same version.
SELECT extversion = codecite.version() AS same_version FROM pg_extension WHERE extname = 'codecite';
