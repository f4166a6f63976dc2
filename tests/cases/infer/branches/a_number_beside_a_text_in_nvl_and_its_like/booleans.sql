SELECT
  -- error: [invalid-query]
  coalesce(vip, 'true') AS a,
  -- error: [invalid-query]
  greatest(vip, 'x') AS b,
  -- error: [invalid-query]
  nvl(vip, name) AS c,
  -- error: [invalid-query]
  coalesce(vip, 0) AS d
FROM customers
