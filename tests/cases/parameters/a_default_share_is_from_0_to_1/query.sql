-- error: [invalid-default]
SELECT approx_percentile_cont(id, << share = 95 >>) AS about FROM orders
