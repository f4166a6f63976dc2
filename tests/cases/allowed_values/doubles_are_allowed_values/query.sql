/*---
params:
  price: { allowed_values: { query: SELECT price FROM orders WHERE id < 6 ORDER BY price } }
---*/
SELECT id FROM orders WHERE price = << price >> ORDER BY id
