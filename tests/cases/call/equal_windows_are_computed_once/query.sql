SELECT
  id,
  lag(id, << a >>) OVER (ORDER BY id) AS lag_a,
  lag(id, << b >>) OVER (ORDER BY id) AS lag_b,
  lag(id, 1) OVER (ORDER BY id) AS lag_one,
  ntile(<< parts: bigint >>) OVER (ORDER BY id) AS part,
  ntile(2) OVER (ORDER BY id) AS half,
  row_number() OVER (PARTITION BY id % << a >> ORDER BY id) AS row_a,
  row_number() OVER (PARTITION BY id % << b >> ORDER BY id) AS row_b
FROM orders
WHERE id <= 5
ORDER BY id
