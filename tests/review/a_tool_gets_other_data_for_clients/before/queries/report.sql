/*---
meta: { team/owner: sales }
---*/
SELECT id, status, quantity FROM orders
