SELECT customer_id, sum(quantity) AS units
FROM orders
GROUP BY customer_id
HAVING sum(quantity) > << above >>
ORDER BY customer_id
