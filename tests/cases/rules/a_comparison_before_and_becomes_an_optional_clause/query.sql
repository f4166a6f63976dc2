SELECT status, count(*) AS n
FROM orders
-- warning: [null-comparison]
WHERE day >= << since? >> AND CASE WHEN price > 1 AND price < 9 THEN true ELSE false END
GROUP BY status
-- warning: [null-comparison]
HAVING count(*) > << least?: bigint >>
ORDER BY status
