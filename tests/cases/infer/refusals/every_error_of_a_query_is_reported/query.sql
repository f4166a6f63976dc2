SELECT id
FROM orders
-- error: [unknown-column]
WHERE statuss = 'open'
-- error: [unknown-column]
  AND pricee > 3
  AND day = << x >>
-- error: [conflicting-types]
  AND quantity = << x >>
