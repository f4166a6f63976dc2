SELECT id
FROM orders
WHERE status = << state >>
  AND quantity >= << least = 1 >>
