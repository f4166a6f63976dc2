SELECT k, percentile_cont(0.7) WITHIN GROUP (ORDER BY x) AS seven, quantile_cont(x, << p: double >>) AS chosen,
  percentile_cont(0.7) WITHIN GROUP (ORDER BY x DESC) AS down, percentile_cont(DISTINCT x, 0.3) AS of_different,
  percentile_cont(x, 0.3) FILTER (WHERE id <> 5) AS of_some, median(x) AS half,
  (SELECT percentile_cont(value, 0.3) FROM generate_series(0, 59)) AS of_sixty
FROM t
GROUP BY k
ORDER BY k
