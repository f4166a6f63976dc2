SELECT
  CASE WHEN vip THEN 1 ELSE 2 END << 1 AS behind_end,
  "id" << 2 AS behind_a_quoted_name,
  [4][1] << 1 AS behind_a_subscript
FROM customers
