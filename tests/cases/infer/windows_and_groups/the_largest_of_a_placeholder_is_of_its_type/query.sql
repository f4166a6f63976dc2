SELECT count(*) AS n
FROM (
  SELECT status FROM orders GROUP BY status HAVING max(<< a >>) < max(day) AND min(<< b >>) < status
) AS t
