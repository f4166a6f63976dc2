-- error: [invalid-query]
SELECT unnest(DISTINCT make_array(id, quantity)) AS n FROM orders
