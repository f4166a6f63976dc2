SELECT id
FROM orders
WHERE placed_at >= << since: timestamp >>
