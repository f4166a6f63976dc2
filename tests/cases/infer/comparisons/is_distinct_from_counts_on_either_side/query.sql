-- calls: 1, 0, 1
SELECT count(*) AS n
FROM orders
WHERE (<< a >> IS DISTINCT FROM status) AND (<< b? >> IS NOT DISTINCT FROM note)
  AND (price IS DISTINCT FROM << c >>)
