/*--- { description: Orders of one status. } ---*/
SELECT id, quantity FROM orders WHERE status = << status >> ORDER BY id LIMIT 3
