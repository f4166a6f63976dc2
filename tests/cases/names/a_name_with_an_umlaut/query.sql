/*---
# error: [invalid-name]
name: Späte Aufträge
---*/
SELECT id FROM orders
