/*---
lints: { select-star: warn }
---*/
SELECT
  -- warning: [select-star]
  *
FROM orders
