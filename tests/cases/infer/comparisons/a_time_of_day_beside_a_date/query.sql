SELECT id
FROM orders
-- error: [invalid-query]
WHERE day >= '2024-02-29 12:00:00'
  -- error: [invalid-query]
  AND day < '2024-02-29T12:00:00Z'
  -- error: [invalid-query]
  AND day <> DATE '2024-02-29 12:00:00'
  AND day <= '2024-03-01 00:00:00'
  AND day <> CAST('2024-02-29 12:00:00' AS date)
  AND placed_at < '2024-02-29 12:00:00'
  AND status = << status >>
