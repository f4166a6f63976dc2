SELECT id
FROM orders
WHERE status = << status >>
  AND quantity > << least >>

-- error: [cannot-infer-type]
  AND day + << period >> > DATE '2024-02-01'
