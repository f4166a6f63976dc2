SELECT id
-- error: [invalid-query]
FROM orders(id => << x >>)
