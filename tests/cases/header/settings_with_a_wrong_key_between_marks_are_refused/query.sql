-- error: [unread-header]
/*-----
scope: [admin]
-----*/
SELECT id FROM orders
