/*---
annotations: { open_world: true }
---*/
SELECT id FROM orders
