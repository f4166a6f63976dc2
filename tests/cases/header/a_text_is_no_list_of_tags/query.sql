/*---
# error: [invalid-value]
tags: orders
---*/
SELECT id FROM orders
