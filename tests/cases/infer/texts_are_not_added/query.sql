SELECT id
FROM orders
-- error: [cannot-infer-type]
WHERE status ILIKE << state >> + '%'
