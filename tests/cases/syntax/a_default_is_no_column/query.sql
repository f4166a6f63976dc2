SELECT id
FROM orders
-- error: [invalid-default]
WHERE id = << id = customer_id >>
