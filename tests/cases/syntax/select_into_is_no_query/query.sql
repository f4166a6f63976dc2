-- error: [not-a-query]
SELECT id INTO copied FROM orders
