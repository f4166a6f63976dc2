-- 2, -0.1 and 101 are refused as the argument's own mistake; 0 and 1 are the least and the greatest
SELECT percentile_cont(<< exact >>) WITHIN GROUP (ORDER BY id) AS exact,
  approx_percentile_cont(id, << share = 0 >>) AS about,
  quantile_cont(id, << other = 1 >>) AS other
FROM orders
