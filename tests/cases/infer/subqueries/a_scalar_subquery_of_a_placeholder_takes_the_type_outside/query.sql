SELECT count(*) AS n
FROM orders
WHERE price > (SELECT << a >>)
  AND status IN (SELECT << b >> UNION SELECT 'open')
  AND day = (SELECT max(day) FROM orders WHERE day < << c >>)
