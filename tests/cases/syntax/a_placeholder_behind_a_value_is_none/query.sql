SELECT id, id << 2 AS a, id << quantity >> 1 AS b
FROM orders
-- error: [invalid-placeholder]
ORDER BY id << way >>,
  -- error: [invalid-placeholder]
  status << also >> NULLS LAST
