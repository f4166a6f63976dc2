SELECT id FROM orders WHERE customer_id = << customer >> AND price > 1 ORDER BY day DESC LIMIT 2
