SELECT status, n
FROM (
  SELECT status, count(*) AS n FROM orders WHERE day >= << since >> GROUP BY status
) AS s
