SELECT id
FROM orders
WHERE struct(day, id) = struct(DATE '2024-01-31', id) OR id = << id >>
