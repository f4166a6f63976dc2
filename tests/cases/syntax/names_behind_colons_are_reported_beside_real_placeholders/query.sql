SELECT id
FROM orders
WHERE status = << status >>
-- error: [raw-placeholder]
  AND id = :id
