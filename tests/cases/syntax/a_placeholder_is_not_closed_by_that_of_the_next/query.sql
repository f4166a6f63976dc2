SELECT id
FROM orders
-- error: [unclosed-placeholder]
WHERE status = << status
  AND id = << id >>
