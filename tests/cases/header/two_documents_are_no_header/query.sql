/*---
result_limit: 5
--- # error: [invalid-yaml]
scopes: [admin]
---*/
SELECT id FROM orders
