SELECT count(*) AS n
FROM orders
WHERE length(<< word >>) > quantity
  AND reverse(<< back >>) = status
  AND md5(<< secret >>) <> note
