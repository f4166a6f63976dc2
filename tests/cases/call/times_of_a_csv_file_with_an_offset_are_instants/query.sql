SELECT 'folder' AS file, id, utc, CAST(utc AS timestamptz) = utc AS same, CAST(utc AS date) AS day, some, none FROM folder
UNION ALL
SELECT 'kept' AS file, id, utc, CAST(utc AS timestamptz) = utc AS same, CAST(utc AS date) AS day, some, none FROM kept
UNION ALL
SELECT 'plain' AS file, id, utc, CAST(utc AS timestamptz) = utc AS same, CAST(utc AS date) AS day, some, none FROM plain
UNION ALL
SELECT 'zipped' AS file, id, utc, CAST(utc AS timestamptz) = utc AS same, CAST(utc AS date) AS day, some, none FROM zipped
ORDER BY file, id
