SELECT
  id,
  sum(price) OVER (
    ORDER BY id
-- error: [invalid-query]
    RANGE BETWEEN '-2' PRECEDING AND CURRENT ROW
  ) AS near,
  sum(price) OVER (
    ORDER BY CAST('2024-01-01' AS date) + CAST(id AS int)
-- error: [invalid-query]
    RANGE BETWEEN INTERVAL '-1 day' PRECEDING AND << ahead >> FOLLOWING
  ) AS days
FROM orders
