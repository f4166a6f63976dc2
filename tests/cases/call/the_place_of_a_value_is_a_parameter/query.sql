SELECT
  nth_value(id, << n: bigint >> ORDER BY id) AS nth,
  (array_agg(id ORDER BY id))[<< i >>] AS item,
  approx_percentile_cont(<< share: double >>) WITHIN GROUP (ORDER BY id) AS share
FROM orders
WHERE id <= 9
