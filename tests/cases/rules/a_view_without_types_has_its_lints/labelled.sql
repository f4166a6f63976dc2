/*---
kind: view
---*/
SELECT
  -- warning: [select-star]
  o.*,
  << label >> AS label
FROM orders AS o
-- warning: [unordered-limit]
LIMIT 10
