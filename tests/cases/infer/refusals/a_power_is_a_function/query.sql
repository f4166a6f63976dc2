SELECT
  -- error: [invalid-query]
  quantity ^ 2 AS a,
  -- error: [invalid-query]
  id + quantity ^ 2 AS b,
  power(quantity, 2) AS c,
  (quantity | 2) - (quantity & 2) AS d
FROM orders
