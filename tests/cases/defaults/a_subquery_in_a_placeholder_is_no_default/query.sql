SELECT id
FROM orders
-- error: [invalid-default]
WHERE quantity >= << least = (SELECT max(quantity) FROM orders) >>
