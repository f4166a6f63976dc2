-- error: [unread-header]
/*----
Scopes: [admin]
----*/
SELECT id FROM orders
