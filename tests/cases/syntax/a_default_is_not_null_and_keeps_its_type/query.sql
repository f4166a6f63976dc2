SELECT id
FROM orders
-- error: [invalid-placeholder]
WHERE status IS NOT DISTINCT FROM << status: text = NULL >>
