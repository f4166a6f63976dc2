-- calls: 27, 26
SELECT count(*) AS n
FROM (
  SELECT id, day FROM orders
  UNION ALL
  SELECT << a >>, << b >>
  UNION
  SELECT << c >>, joined FROM customers
) AS t
