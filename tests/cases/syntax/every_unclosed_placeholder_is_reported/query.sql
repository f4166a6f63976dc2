SELECT id
FROM orders
-- error: [unclosed-placeholder]
WHERE status = << status

-- error: [unclosed-placeholder]
  AND id = << id
