/* Copyright 2024 -- error: [unread-header]
   timeout: 5s
*/
SELECT id FROM orders
