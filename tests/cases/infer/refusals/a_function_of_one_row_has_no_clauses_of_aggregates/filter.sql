SELECT id,
  -- error: [invalid-query]
  abs(quantity) FILTER (WHERE price > << least: double >>) AS n
FROM orders
