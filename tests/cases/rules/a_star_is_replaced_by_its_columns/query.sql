SELECT
  -- warning: [select-star]
  * EXCLUDE (note, "placed_at")
FROM orders
