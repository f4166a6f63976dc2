SELECT id
FROM orders
WHERE note = << key: uuid >>
