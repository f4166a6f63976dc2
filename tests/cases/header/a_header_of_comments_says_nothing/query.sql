/*---
# description: To be written.
---*/
SELECT id FROM orders
