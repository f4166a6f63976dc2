SELECT id
FROM orders
-- error: [raw-placeholder]
WHERE id = $1

-- error: [raw-placeholder]
  AND status = $status
