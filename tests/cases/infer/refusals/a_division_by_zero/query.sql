SELECT
  -- error: [cannot-run]
  quantity / 0 AS a,
  -- error: [cannot-run]
  << n: bigint >> % 0 AS b,
  price / 0 AS c,
  quantity / 0.0 AS d,
  quantity / nullif(<< n >>, 0) AS e,
  CASE WHEN quantity > 5 THEN id / 0 END AS f
FROM orders
