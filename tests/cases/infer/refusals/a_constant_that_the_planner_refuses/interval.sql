SELECT id
FROM orders
-- error: [invalid-query]
WHERE placed_at > << at: timestamp >> - interval '3 fortnights'
