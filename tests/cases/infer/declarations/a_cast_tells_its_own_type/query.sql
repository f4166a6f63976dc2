SELECT count(*) AS n
FROM orders
WHERE CAST(<< a >> AS date) <= day
  AND << b >>::int = quantity
  AND TRY_CAST(<< c >> AS double) < price
  AND CAST(<< e >> AS text) = status
  AND << f >>::boolean
  AND << g >>::decimal(10,2) < 100
  AND id > (<< h >>)::smallint
