/*---
params_from: dates
params:
  a: { default: 2024-01-01 }
  b: { default: { sql: current_date } }
---*/
SELECT << a: date >> AS a, << b: date >> AS b
