SELECT id
FROM orders
WHERE status IS NOT DISTINCT FROM << status: text = NULL >>
