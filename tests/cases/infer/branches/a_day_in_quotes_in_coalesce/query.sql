SELECT
  -- error: [invalid-query]
  coalesce(day, '2024-01-01') AS a,
  -- error: [invalid-query]
  coalesce(placed_at, '2024-01-01 00:00:00') AS b,
  -- error: [invalid-query]
  nvl(day, '2024-01-01') AS c,
  greatest(day, '2024-01-01') AS d,
  CASE WHEN id = 1 THEN day ELSE '2024-01-01' END AS e
FROM orders
