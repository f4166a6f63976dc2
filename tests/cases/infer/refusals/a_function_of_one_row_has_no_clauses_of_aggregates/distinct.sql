-- error: [invalid-query]
SELECT upper(DISTINCT status) AS s FROM orders
