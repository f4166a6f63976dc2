SELECT count(*) AS n
FROM (SELECT y AS z, status FROM (SELECT << x >> AS y, status FROM orders) AS a) AS b
WHERE b.z = b.status
