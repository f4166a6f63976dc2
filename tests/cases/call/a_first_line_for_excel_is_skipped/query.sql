SELECT id, total
FROM orders
WHERE id >= << first_id >>
ORDER BY id
