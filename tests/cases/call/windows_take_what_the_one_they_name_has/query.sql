SELECT
  id,
  sum(n) OVER (w ORDER BY id) AS running,
  sum(n) OVER x AS named,
  row_number() OVER (y ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS nth,
  count(*) OVER w AS in_all
FROM o
WINDOW w AS (PARTITION BY c), x AS (w ORDER BY id), y AS (x)
ORDER BY row_number() OVER x, id
LIMIT << most = 10 >>
