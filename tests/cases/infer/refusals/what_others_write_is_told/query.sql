-- error: [invalid-query]
SELECT id, row_number() AS place FROM orders
