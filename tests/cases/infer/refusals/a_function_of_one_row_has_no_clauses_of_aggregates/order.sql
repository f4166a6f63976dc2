-- error: [invalid-query]
SELECT upper(status ORDER BY id) AS s FROM orders
