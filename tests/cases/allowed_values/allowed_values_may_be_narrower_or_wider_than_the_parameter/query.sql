/*---
params:
  least: { allowed_values: { query: SELECT quantity FROM orders WHERE quantity < 4 } }
  small: { type: smallint, allowed_values: { query: SELECT id FROM orders } }
---*/
SELECT id FROM orders WHERE price > << least >> AND id <= << small >> ORDER BY id
