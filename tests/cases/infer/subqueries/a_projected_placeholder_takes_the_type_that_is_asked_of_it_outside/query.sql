SELECT count(*) AS n
FROM (SELECT id, << x >> AS x FROM orders) AS t
WHERE t.x < t.id
