SELECT count(*) AS n
FROM orders
WHERE CAST(<< a >> AS text) <> 'x' AND << a >> > 5 AND << b >> <> 'none' AND TRY_CAST(<< b >> AS date) IS NULL
