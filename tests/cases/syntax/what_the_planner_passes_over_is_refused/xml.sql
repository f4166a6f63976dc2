SELECT id
FROM orders
-- error: [invalid-query]
FOR XML RAW
