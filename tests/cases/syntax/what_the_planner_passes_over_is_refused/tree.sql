SELECT id
FROM orders
-- error: [invalid-query]
START WITH id = 1
-- error: [invalid-query]
CONNECT BY customer_id = id
