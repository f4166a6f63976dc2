-- error: [invalid-query]
SELECT upper(status) IGNORE NULLS AS s FROM orders
