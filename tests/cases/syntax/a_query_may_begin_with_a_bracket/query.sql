(SELECT id FROM orders WHERE id = << id >>) UNION ALL (SELECT id FROM customers)
