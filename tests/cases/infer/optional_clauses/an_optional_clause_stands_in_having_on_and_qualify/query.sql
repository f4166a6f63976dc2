-- calls: 4, 3, 0, 3
SELECT count(*) AS n
FROM (
  SELECT o.status, count(*) AS c
  FROM orders AS o JOIN customers AS c ON c.id = o.customer_id [[ AND left(c.name, << letters >>) = 'A' ]]
  GROUP BY o.status
  HAVING count(*) > 0 [[ AND sum(o.price) > << least >> ]]
  QUALIFY true [[ AND row_number() OVER (ORDER BY o.status) <= << top >> ]]
) AS t
