-- calls: 3, 0
SELECT count(*) AS n
FROM (
  SELECT ntile(<< parts >>) OVER (ORDER BY id) AS a, nth_value(id, << nth >>) OVER (ORDER BY id) AS b
  FROM orders
) AS t
WHERE a = << part >> AND b = 3
