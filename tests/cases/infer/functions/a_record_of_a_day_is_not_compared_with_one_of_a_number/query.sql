SELECT id
FROM orders
-- error: [invalid-query]
WHERE struct(CAST(placed_at AS date), id) = struct(quantity, id) OR id = << id >>
