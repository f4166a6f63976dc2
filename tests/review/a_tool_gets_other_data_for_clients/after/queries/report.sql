/*---
meta: { team/owner: finance }
---*/
SELECT id, status, quantity FROM orders
