SELECT id FROM orders
WHERE placed_at >= TIMESTAMP '2024-01-03 10:00:00' - << length = interval '1 day' + interval '2 hours' >>
  AND placed_at < TIMESTAMP '2024-01-06 00:00:00'
ORDER BY id
