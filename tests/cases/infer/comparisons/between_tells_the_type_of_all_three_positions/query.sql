SELECT count(*) AS n
FROM orders
WHERE << a >> BETWEEN quantity AND id
  AND price BETWEEN << b >> AND 50
  AND day NOT BETWEEN DATE '2024-01-01' AND << c >>
  AND << d >> NOT BETWEEN note AND status
  AND placed_at BETWEEN << e >> AND << f >>
