-- calls: 3, 0
SELECT count(*) AS n
FROM (
  SELECT lag(price, << back >>, << first >>) OVER (ORDER BY id) AS a, lead(status, 1, << last >>) OVER (ORDER BY id) AS b
  FROM orders
) AS t
WHERE a = -1 OR b = 'none'
