WITH a AS (
  -- error: [constant-key]
  SELECT count(*) AS n FROM orders GROUP BY << by >>
), b AS (
  -- error: [constant-key]
  SELECT count(*) AS n FROM orders GROUP BY ROLLUP (status, << sets >>)
), c AS (
  -- error: [constant-key]
  SELECT DISTINCT ON (<< distinct >>) id FROM orders
)
SELECT a.n FROM a, b, c
