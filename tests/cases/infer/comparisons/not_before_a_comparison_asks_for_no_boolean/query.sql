SELECT count(*) AS n
FROM orders
WHERE NOT << a >> = status AND NOT << b >> BETWEEN 1 AND quantity AND NOT << c >> IN (note)
  AND NOT << e >> LIKE 'x'
