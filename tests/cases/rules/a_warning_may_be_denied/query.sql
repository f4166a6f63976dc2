/*---
lints: { select-star: deny }
---*/
SELECT
  -- error: [select-star]
  *
FROM orders
