SELECT id
FROM orders
WHERE note = << words >>
