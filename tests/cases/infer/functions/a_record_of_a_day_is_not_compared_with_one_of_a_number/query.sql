SELECT id
FROM orders
-- error: [invalid-query]
WHERE struct(day, id) = struct(quantity, id) OR id = << id >>
