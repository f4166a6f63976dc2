SELECT
  -- error: [invalid-query]
  lag(quantity, 1, id) OVER (ORDER BY id) AS a,
  -- error: [invalid-query]
  lag(quantity, 1, 'none') OVER (ORDER BY id) AS b,
  -- error: [invalid-query]
  lead(quantity, 1, 1.5) OVER (ORDER BY id) AS c,
  -- error: [invalid-query]
  lag(status, 1, 5) OVER (ORDER BY id) AS d,
  -- error: [invalid-query]
  lag(day, 1, 'soon') OVER (ORDER BY id) AS e,
  lag(quantity, 1, -1) OVER (ORDER BY id) AS f,
  lag(day, 1, '2024-01-01') OVER (ORDER BY id) AS g,
  lag(price, 1, 1) OVER (ORDER BY id) AS h,
  lag(price, 1, NULL) OVER (ORDER BY id) AS i
FROM orders
