SELECT
  -- error: [invalid-query]
  CASE status WHEN -1 THEN 'a' END AS a,
  -- error: [invalid-query]
  coalesce(status, 0) AS b
FROM orders
-- error: [invalid-query]
WHERE status = 1
  -- error: [invalid-query]
  AND status IN (1, 2)
  -- error: [invalid-query]
  AND note BETWEEN 1 AND 3
  -- error: [invalid-query]
  AND status <> day
  AND customer_id = << customer >>
