SELECT
  -- error: [invalid-query]
  sum(quantity) OVER (ORDER BY day RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS a,
  -- error: [invalid-query]
  sum(quantity) OVER (ORDER BY placed_at RANGE BETWEEN CURRENT ROW AND '7' FOLLOWING) AS b,
  -- error: [invalid-query]
  sum(quantity) OVER (ORDER BY status RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS c,
  sum(quantity) OVER w AS d,
  sum(quantity) OVER (ORDER BY day RANGE BETWEEN '1 day' PRECEDING AND CURRENT ROW) AS e,
  sum(quantity) OVER (ORDER BY day RANGE BETWEEN INTERVAL '1 day' PRECEDING AND CURRENT ROW) AS f,
  sum(quantity) OVER (ORDER BY id RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS g,
  sum(quantity) OVER (ORDER BY status ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS h,
  sum(quantity) OVER (ORDER BY status RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS i
FROM orders
-- error: [invalid-query]
WINDOW w AS (ORDER BY day RANGE 2 PRECEDING)
