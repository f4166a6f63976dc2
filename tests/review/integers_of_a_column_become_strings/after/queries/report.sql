/*---
columns:
  id: { bigint: string }
---*/
SELECT id FROM orders
