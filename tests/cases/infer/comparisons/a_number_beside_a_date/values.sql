SELECT
  -- error: [invalid-query]
  CASE WHEN id = 1 THEN day ELSE 0 END AS a,
  -- error: [invalid-query]
  greatest(day, 20240131) AS b,
  -- error: [invalid-query]
  nvl(day, 0) AS c,
  -- error: [invalid-query]
  nullif(day, 20240131) AS d,
  -- error: [invalid-query]
  lag(day, 1, 20240131) OVER (ORDER BY id) AS e,
  -- error: [invalid-query]
  CASE day WHEN 20240131 THEN 1 ELSE 2 END AS f
FROM orders
