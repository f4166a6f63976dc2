SELECT id -- error: [unread-header]
/*---
scopes: [admin]
---*/
FROM orders
