/*---
source: shop
columns:
  # error: [unsupported-type]
  v: { type: ubigint }
---*/
SELECT 5 AS v
