/*---
result_limit: 5
---*/
SELECT id FROM orders -- error: [unread-header]
/*---
result_limit: 6
---*/
