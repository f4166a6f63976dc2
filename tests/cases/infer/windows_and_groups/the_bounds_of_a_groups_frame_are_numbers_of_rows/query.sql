SELECT count(*) AS n
FROM (
  SELECT count(*) OVER (ORDER BY quantity GROUPS BETWEEN << before >> PRECEDING AND CURRENT ROW) AS c FROM orders
) AS t
WHERE c > 5
