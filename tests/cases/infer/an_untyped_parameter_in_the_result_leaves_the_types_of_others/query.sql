-- error: [cannot-infer-type]
SELECT id, day + << period >> AS later
FROM orders
WHERE status = << status >>
  AND quantity > << least >>
