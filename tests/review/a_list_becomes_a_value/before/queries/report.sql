SELECT id
FROM orders
WHERE id IN << ids >>
