SELECT id
FROM orders
-- error: [raw-placeholder]
WHERE id = @id

-- error: [raw-placeholder]
  AND status IN (@orderStatus, 'open')
