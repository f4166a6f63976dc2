SELECT
  id,
  -- error: [invalid-query]
  ntile(0) OVER (ORDER BY id) AS a,
  -- error: [invalid-query]
  nth_value(id, 0) OVER (ORDER BY id) AS b,
  -- error: [invalid-query]
  lag(id, 1.5) OVER (ORDER BY id) AS c,
  lead(id, 2) OVER (ORDER BY id) AS d
FROM orders
