SELECT id
FROM orders
-- error: [invalid-query]
WHERE (id, status) = (1, 2)
  -- error: [invalid-query]
  AND (id, status) IN ((1, 2), (3, 4))
  AND (id, status) IN ((1, 'open'), (3, 'shipped'))
  AND customer_id = << customer >>
