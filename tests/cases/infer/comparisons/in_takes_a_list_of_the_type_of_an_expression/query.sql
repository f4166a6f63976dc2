SELECT count(*) AS n
FROM orders
WHERE quantity * 2 IN << a >>
  AND upper(status) NOT IN << b >>
  AND placed_at::date IN << c >>
  AND extract(year FROM day) IN << e >>
  AND price / 2 IN << f >>
