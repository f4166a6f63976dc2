-- error: [unknown-column]
SELECT id FROM orders ORDER BY placed
