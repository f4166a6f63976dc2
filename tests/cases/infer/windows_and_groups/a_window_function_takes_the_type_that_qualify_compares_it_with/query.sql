SELECT count(*) AS n
FROM (
  SELECT id FROM orders
  QUALIFY lag(day) OVER (ORDER BY id) >= << a >> AND max(price) OVER (PARTITION BY status) > << b >>
) AS t
