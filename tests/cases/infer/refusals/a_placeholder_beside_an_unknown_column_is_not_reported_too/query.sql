SELECT id
FROM orders
-- error: [unknown-column]
WHERE statuss = << x >>
-- error: [unknown-column]
  AND pricee * << y >> > 3
