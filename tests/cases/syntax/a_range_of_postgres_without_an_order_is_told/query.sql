SELECT id
FROM orders
WHERE quantity BETWEEN SYMMETRIC
      -- error: [syntax-error]
      5 AND 1
