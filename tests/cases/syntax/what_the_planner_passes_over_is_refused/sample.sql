SELECT id
-- error: [invalid-query]
FROM orders TABLESAMPLE BERNOULLI (10)
