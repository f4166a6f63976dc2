SELECT id
FROM orders
-- error: [invalid-name]
WHERE quantity = << größe >>
