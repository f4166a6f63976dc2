/*---
params:
  metric:
    choices:
      good: price
      # error: [raw-placeholder]
      first: $1
      # error: [raw-placeholder]
      mark: price + ?
---*/
SELECT id FROM orders WHERE << metric >> > << least >> ORDER BY id
