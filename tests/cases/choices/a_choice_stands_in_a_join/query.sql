/*---
params:
  key: { choices: { buyer: o.customer_id, pieces: o.quantity } }
---*/
SELECT o.id, c.name FROM orders AS o JOIN customers AS c ON c.id = << key >> WHERE o.id <= 5 ORDER BY o.id
