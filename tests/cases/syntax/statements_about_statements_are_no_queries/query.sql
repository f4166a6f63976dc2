-- error: [not-a-query]
EXPLAIN SELECT id FROM orders
