-- calls: 4, 0
SELECT count(*) AS n
FROM orders
WHERE status = << a >> AND TRY_CAST(<< a >> AS bigint) IS NULL
  AND CAST(<< b >> AS text) <> 'x' AND quantity > << b >>
