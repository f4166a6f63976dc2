SELECT id
FROM orders
WHERE price > 1
-- error: [syntax-error]
  [ [ AND status = << status >> ] ]
