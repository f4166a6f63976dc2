SELECT o.customer_id,
       -- error: [invalid-query]
       o.status, count(*) AS orders
FROM orders AS o
WHERE o.quantity > << least >>
GROUP BY o.customer_id
