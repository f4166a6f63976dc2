WITH orders_there_are AS (
  SELECT count(*) AS n FROM orders
),
first_order AS (
  SELECT o.id, o.day FROM orders AS o ORDER BY o.day, o.id LIMIT 1
)
SELECT a.n, f.day FROM orders_there_are AS a CROSS JOIN first_order AS f LIMIT 1
