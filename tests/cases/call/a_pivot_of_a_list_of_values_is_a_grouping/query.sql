SELECT *
FROM (SELECT customer_id, status, quantity FROM orders WHERE quantity >= << least >>)
     PIVOT (sum(quantity) AS items, count(*) AS orders FOR status IN ('open', 'shipped', 'lost' AS gone))
ORDER BY customer_id
