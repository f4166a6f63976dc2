SELECT c.name, o.id
FROM customers AS c
CROSS JOIN LATERAL (
  SELECT id FROM orders WHERE customer_id = c.id ORDER BY id
  -- error: [invalid-query]
  FETCH NEXT ROW ONLY
) AS o
ORDER BY o.id
