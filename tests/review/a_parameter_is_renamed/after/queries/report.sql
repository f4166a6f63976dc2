SELECT id
FROM orders
WHERE status = << order_status >>
