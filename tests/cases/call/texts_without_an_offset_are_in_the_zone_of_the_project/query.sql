SELECT 'folder' AS file, id, at, CAST(at AS date) AS day, at >= << since >> AS is_since FROM folder
UNION ALL
SELECT 'kept' AS file, id, at, CAST(at AS date) AS day, at >= << since >> AS is_since FROM kept
UNION ALL
SELECT 'lines' AS file, id, at, CAST(at AS date) AS day, at >= << since >> AS is_since FROM lines
UNION ALL
SELECT 'list' AS file, id, at, CAST(at AS date) AS day, at >= << since >> AS is_since FROM list
UNION ALL
SELECT 'nulls' AS file, id, at, CAST(at AS date) AS day, at >= << since >> AS is_since FROM nulls
UNION ALL
SELECT 'plain' AS file, id, at, CAST(at AS date) AS day, at >= << since >> AS is_since FROM plain
UNION ALL
SELECT 'zipped' AS file, id, at, CAST(at AS date) AS day, at >= << since >> AS is_since FROM zipped
ORDER BY file, id
