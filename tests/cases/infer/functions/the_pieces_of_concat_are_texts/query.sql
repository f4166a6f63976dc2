SELECT count(*) AS n
FROM orders
WHERE concat(status, << tail >>) = 'open!'
  AND concat_ws(<< between >>, status, << last >>) LIKE 'open-%'
