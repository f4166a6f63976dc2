SELECT id
FROM orders
-- error: [invalid-default]
WHERE status IS NOT DISTINCT FROM << status: text = NULL >>
