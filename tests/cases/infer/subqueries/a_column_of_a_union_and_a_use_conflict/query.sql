SELECT count(*) AS n
FROM (
  SELECT id, status FROM orders
  UNION ALL
  SELECT id, << x >> FROM customers
  -- error: [conflicting-types]
  WHERE id = << x >>
) AS t
