SELECT
  1 AS a, 'x' AS b, true AS c, count(*) AS d, sum(quantity) AS e, avg(price) AS f, max(orders.day) AS g, array_agg(status) AS h,
  1.5 AS i, now() AS j, current_date AS k, INTERVAL '1 day' AS l, max(amount) AS m, {'a': 1} AS n
FROM orders, types
