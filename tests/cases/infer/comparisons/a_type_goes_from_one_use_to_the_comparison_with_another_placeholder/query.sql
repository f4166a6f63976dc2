-- calls: 8, 0
SELECT count(*) AS n
FROM orders
WHERE << a >> <= day
  AND << b >> > << a >>
