SELECT id
FROM orders
WHERE price > 1
  -- warning: [null-comparison]
  AND << day?: date >> BETWEEN day AND DATE '2024-12-31'
