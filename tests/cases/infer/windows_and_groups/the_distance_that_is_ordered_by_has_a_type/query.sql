-- calls: 7, 14
SELECT id FROM orders ORDER BY abs(price - << target >>) LIMIT 1
