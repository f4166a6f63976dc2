SELECT count(*) AS n
FROM (
  SELECT status FROM orders GROUP BY status HAVING sum(price * << factor >>) > 400
) AS t
