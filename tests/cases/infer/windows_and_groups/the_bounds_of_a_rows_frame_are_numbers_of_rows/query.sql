-- calls: 15, 1, invalid-argument
SELECT count(*) AS n
FROM (
  SELECT sum(quantity) OVER (ORDER BY id ROWS BETWEEN << before >> PRECEDING AND << after >> FOLLOWING) AS s FROM orders
) AS t
WHERE s > 10
