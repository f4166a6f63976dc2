-- calls: 7
SELECT count(*) AS n
FROM orders
WHERE quantity > << a >> AND << a >> > 0.5
  AND << b >> < 20.5 AND quantity < << b >>
