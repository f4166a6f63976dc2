/*---
# error: [invalid-value]
expose: [limit, formats]
---*/
SELECT id FROM orders
