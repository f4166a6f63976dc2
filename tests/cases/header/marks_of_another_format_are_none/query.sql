-- error: [unread-header]
/*+++
scopes = ["admin"]
+++*/
SELECT id FROM orders
