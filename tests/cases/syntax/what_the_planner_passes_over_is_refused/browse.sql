SELECT id
FROM orders
-- error: [invalid-query]
FOR BROWSE
