/*---
scopes: [admin]
*/ -- error: [unclosed-header]
SELECT id FROM orders
