/*---
scopes: [hr]
---*/
SELECT id, name FROM customers
