SELECT count(*) AS n
FROM orders
WHERE << a >> = CAST(quantity AS int)
  AND << b >> = CAST(<< c >> AS date)
  AND CAST(<< e >> AS smallint) + << f >> > 3
  AND << g >>::text LIKE << h >>
