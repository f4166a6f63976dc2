/*---
kind: view
---*/
SELECT
  -- warning: [select-star]
  *
FROM orders
