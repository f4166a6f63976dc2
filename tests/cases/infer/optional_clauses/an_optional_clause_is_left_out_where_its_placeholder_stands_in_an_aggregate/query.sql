-- calls: 4, 1, 2
SELECT count(*) AS n
FROM (
  SELECT status FROM orders GROUP BY status
  HAVING count(*) > 0
    [[ AND sum(price * << factor >>) > 400 ]]
    [[ AND count(*) FILTER (WHERE quantity > << many >>) > 2 ]]
) AS t
