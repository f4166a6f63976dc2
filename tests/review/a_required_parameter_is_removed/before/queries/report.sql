SELECT id
FROM orders
WHERE status = << state >>
  AND customer_id = << customer >>
