SELECT id
FROM orders
-- error: [invalid-query]
WHERE day = '29.02.2024'
  -- error: [invalid-query]
  AND placed_at = 'noon'
  -- error: [invalid-query]
  AND id IN ('one')
