/*---
columns: { status: { description: State of the order. } }
---*/
SELECT id, status, quantity FROM orders
