SELECT status, count(*) AS n
FROM orders
-- error: [unknown-column]
WHERE aa = 1
GROUP BY status
-- error: [unknown-column]
HAVING max(bb) > 2
-- error: [unknown-column]
ORDER BY max(cc)
