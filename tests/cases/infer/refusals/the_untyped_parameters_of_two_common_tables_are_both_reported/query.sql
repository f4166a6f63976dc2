WITH a AS (
-- error: [cannot-infer-type]
  SELECT << x >> AS x
), b AS (
-- error: [cannot-infer-type]
  SELECT << y >> AS y
)
SELECT count(*) AS n FROM a CROSS JOIN b
