SELECT
  -- error: [invalid-query]
  CAST(20240131 AS date) AS a,
  -- error: [invalid-query]
  CAST(id AS date) AS b,
  -- error: [invalid-query]
  TRY_CAST(id AS timestamp) AS c,
  -- error: [invalid-query]
  to_date(20240131) AS d,
  -- error: [invalid-query]
  CAST(id AS time) AS e,
  to_date(CAST(id AS text), '%Y%m%d') AS f,
  to_timestamp_seconds(id) AS g,
  CAST(placed_at AS date) AS h,
  CAST(NULL AS date) AS i
FROM orders
