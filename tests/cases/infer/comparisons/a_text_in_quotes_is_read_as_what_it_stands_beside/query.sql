SELECT id
FROM orders
WHERE id IN ('7', '8') AND day >= '2024-01-01' AND price > '1.5' AND coalesce(quantity, '0') >= '0'
  AND status = << status >>
