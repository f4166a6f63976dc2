SELECT
  -- error: [invalid-query]
  approx_percentile_cont(price, 1.5) AS a,
  -- error: [invalid-query]
  percentile_cont(-0.5) WITHIN GROUP (ORDER BY price) AS b,
  -- error: [invalid-query]
  nth_value(price, 0 ORDER BY id) AS d,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY price) AS c
FROM orders
WHERE id > << id >>
