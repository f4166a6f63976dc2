SELECT
  status,
  -- warning: [unnamed-column]
  count(*),
  -- warning: [unnamed-column]
  sum(o.price),
  -- warning: [unnamed-column]
  count(DISTINCT customer_id),
  -- warning: [unnamed-column]
  (max(price) - min(price)) / 2
FROM orders AS o
GROUP BY status
ORDER BY status
