SELECT count(*) AS n
FROM (
  SELECT approx_percentile_cont(price, << a >>) AS p, approx_percentile_cont(<< b >>) WITHIN GROUP (ORDER BY quantity) AS q
  FROM orders
) AS t
WHERE p > << c >>
