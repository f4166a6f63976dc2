/*---
params:
  big: { allowed_values: { query: SELECT big FROM items } }
---*/
SELECT id FROM items WHERE big = << big >> ORDER BY id
