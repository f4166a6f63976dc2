/*---
params:
  by: { choices: { status: status, customer: customer_id } }
  order: { choices: { oldest: "day, id", dearest: "price DESC, id" } }
---*/
SELECT id, row_number() OVER (PARTITION BY << by >> ORDER BY << order >>) AS place
FROM orders
WHERE id <= 8
ORDER BY id
