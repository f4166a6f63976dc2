SELECT id
FROM orders
-- error: [invalid-query]
WHERE placed_at >= '2024-06-01 12:00'
  -- error: [invalid-query]
  AND placed_at < '2024-06-02T9:30'
  -- error: [invalid-query]
  AND placed_at BETWEEN '2024-06-01' AND '2024-06-02 18:00'
  -- error: [invalid-query]
  AND placed_at BETWEEN '2024-06-01' AND 'soon'
  -- error: [invalid-query]
  AND placed_at < 'late'
  -- error: [invalid-query]
  AND placed_at <> 'never'
  AND status = << status >>
