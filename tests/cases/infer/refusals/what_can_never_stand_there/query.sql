SELECT id
FROM orders
-- error: [invalid-query]
WHERE row_number() OVER (ORDER BY id) = << place >>
