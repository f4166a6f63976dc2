SELECT id
FROM orders
-- error: [invalid-query]
WHERE placed_at > now() - INTERVAL << days >> DAY
  -- error: [invalid-query]
  AND placed_at < now() + interval (<< hours: int = 1 >>) hours
  -- error: [invalid-query]
  AND placed_at > TIMESTAMP '2024-01-01 00:00:00' + interval quantity days
  -- error: [invalid-query]
  AND placed_at < TIMESTAMP '2024-03-01 00:00:00' + INTERVAL << period >>
ORDER BY id
