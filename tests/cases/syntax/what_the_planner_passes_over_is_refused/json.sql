SELECT id
FROM orders
-- error: [invalid-query]
FOR JSON AUTO
