/*---
params:
  which: { choices: { order: o.id, customer: c.id } }
---*/
SELECT << which >>, c.name FROM orders AS o JOIN customers AS c ON c.id = o.customer_id WHERE o.id <= 3 ORDER BY o.id
