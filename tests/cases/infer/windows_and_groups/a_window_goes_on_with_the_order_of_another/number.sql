SELECT
  -- error: [invalid-query]
  sum(quantity) OVER (w RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS a,
  sum(quantity) OVER (w RANGE BETWEEN INTERVAL '1 day' PRECEDING AND CURRENT ROW) AS b,
  sum(quantity) OVER v AS c
FROM orders
-- error: [invalid-query]
WINDOW w AS (ORDER BY day), v AS (w RANGE BETWEEN CURRENT ROW AND 2 FOLLOWING)
