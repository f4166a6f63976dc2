SELECT count(*) AS n
-- error: [cannot-infer-type]
FROM (SELECT id, << x >> AS x FROM orders) AS t
WHERE id > 3
