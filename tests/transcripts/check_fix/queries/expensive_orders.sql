/*---
description: Orders of more than an amount.
params:
  amount: { description: The amount. }
---*/
SELECT id, total
FROM orders
WHERE total > :amount
ORDER BY id
