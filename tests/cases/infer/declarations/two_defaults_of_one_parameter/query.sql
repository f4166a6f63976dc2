SELECT id
FROM orders
WHERE quantity > << least = 1 >>
-- error: [conflicting-configuration]
  AND price > << least = 2 >>
