SELECT id, placed_at
FROM orders
WHERE timestamp '2024-03-01 00:00:00' - placed_at > << age: interval >>
ORDER BY timestamp '2024-03-01 00:00:00' - placed_at + << age >> DESC
