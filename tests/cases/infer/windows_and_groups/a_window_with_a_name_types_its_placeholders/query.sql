SELECT count(*) AS n
FROM (
  SELECT row_number() OVER w AS nr, sum(price) OVER w AS s
  FROM orders
  WINDOW w AS (PARTITION BY quantity > << many >> ORDER BY abs(price - << near >>), id)
) AS t
WHERE nr = 1 AND s < << sum >>
