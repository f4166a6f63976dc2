SELECT count(*) AS n
FROM (
  SELECT count(*) FILTER (WHERE << everything >>) AS a, count(*) FILTER (WHERE price > << least >> AND vip = << vip >>) AS b
  FROM orders JOIN customers ON customers.id = orders.customer_id
) AS t
WHERE a = 20 AND b > << most >>
