SELECT 'near' AS read, id FROM near
UNION ALL
SELECT 'all' AS read, id FROM all_of_them
UNION ALL
SELECT 'here' AS read, id FROM here
ORDER BY read, id
