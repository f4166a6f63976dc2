SELECT id FROM orders
-- error: [unread-header]
/*---
scopes: [admin]
---*/
