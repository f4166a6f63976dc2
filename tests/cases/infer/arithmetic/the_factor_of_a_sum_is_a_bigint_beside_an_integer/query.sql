SELECT count(*) AS n
FROM (
  SELECT status FROM orders GROUP BY status HAVING sum(quantity * << factor >>) > 12
) AS t
