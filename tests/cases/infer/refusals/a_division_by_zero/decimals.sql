SELECT
  amount / (1 - 1) AS a,
  -- error: [cannot-run]
  sum(amount) FILTER (WHERE id / 0 > 1) AS b
FROM types
GROUP BY amount
