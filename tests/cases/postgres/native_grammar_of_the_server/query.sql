/*---
source: shop
---*/
WITH ranked AS MATERIALIZED (
  SELECT DISTINCT ON (o.customer) o.customer, o.id, l.n, sum(o.total) OVER w AS running
  FROM native_grammar_of_the_server.orders AS o CROSS JOIN LATERAL (SELECT count(*) FILTER (WHERE x.status = 'open') AS n FROM native_grammar_of_the_server.orders AS x WHERE x.customer = o.customer) AS l
  WINDOW w AS (PARTITION BY o.customer ORDER BY o.id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
  ORDER BY o.customer, o.id DESC)
SELECT customer, n, running::numeric(10,2) AS running, U&'\0041' AS letter FROM ranked
UNION ALL
SELECT coalesce(customer, 'all'), count(*), sum(total)::numeric(10,2), 'B' FROM native_grammar_of_the_server.orders GROUP BY GROUPING SETS ((customer), ())
ORDER BY 1, 2
