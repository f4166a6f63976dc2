SELECT status, sum(quantity) AS units FROM orders WHERE quantity > 0 GROUP BY status ORDER BY status
