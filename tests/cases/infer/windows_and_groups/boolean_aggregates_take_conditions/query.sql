SELECT count(*) AS n
FROM (
  SELECT status FROM orders GROUP BY status HAVING bool_and(price > << least >>) OR bool_or(<< any >>)
) AS t
