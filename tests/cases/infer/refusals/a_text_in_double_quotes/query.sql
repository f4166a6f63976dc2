/*--- { description: Orders. } ---*/
SELECT id FROM orders
-- error: [unknown-column]
WHERE status = "paid out"
ORDER BY id LIMIT 5
