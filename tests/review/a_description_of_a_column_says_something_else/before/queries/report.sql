/*---
columns: { status: { description: The state. } }
---*/
SELECT id, status, quantity FROM orders
