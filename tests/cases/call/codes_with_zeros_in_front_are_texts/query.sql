SELECT 'places' AS read, zip, n, d, phone FROM places WHERE zip = << zip >>
UNION ALL
SELECT 'numbers' AS read, CAST(zip AS text) AS zip, n, d, phone FROM numbers
UNION ALL
SELECT 'parts' AS read, zip, n, NULL AS d, NULL AS phone FROM parts
ORDER BY read, zip
