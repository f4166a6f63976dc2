/*---
result_limit: 5
---*/
-- error: [unread-header]
/*---
scopes: [admin]
---*/
SELECT id FROM orders
