SELECT 'lines' AS file, id, a, l, a = << a: text >> AS found FROM lines
UNION ALL
SELECT 'list' AS file, id, a, NULL AS l, a = << a >> AS found FROM list
ORDER BY file, id
