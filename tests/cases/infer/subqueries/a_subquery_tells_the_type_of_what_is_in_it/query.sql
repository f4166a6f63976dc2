SELECT count(*) AS n
FROM orders
WHERE << a >> IN (SELECT medium FROM types)
  AND << b >> NOT IN (SELECT joined FROM customers)
  AND << c >> IN (SELECT max(price) FROM orders GROUP BY status)
