SELECT count(*) AS n
FROM orders
-- error: [conflicting-types]
WHERE coalesce(<< x: boolean >>, quantity) > 3
