/*---
scopes: [""] # error: [invalid-value]
---*/
SELECT id FROM orders
