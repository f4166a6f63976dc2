-- calls: six rows, the counts 8, 2, 7, 1, 1 and 1
SELECT quantity % << m >> AS rest, floor(price / << width >>) AS bucket, count(*) AS n
FROM orders
GROUP BY quantity % << m >>, floor(price / << width >>)
ORDER BY rest, bucket
