-- warning: [unbounded-result]
SELECT id FROM orders
