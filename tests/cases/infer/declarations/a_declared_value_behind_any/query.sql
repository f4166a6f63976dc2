SELECT count(*) AS n
FROM orders
-- error: [conflicting-types]
WHERE id = ANY(<< x: bigint >>)
