/*---
params:
  by: { choices: { status: status, customer: CAST(customer_id AS text) } }
---*/
SELECT id, << by >> AS key FROM orders QUALIFY row_number() OVER (PARTITION BY << by >> ORDER BY id) = 1 ORDER BY id
